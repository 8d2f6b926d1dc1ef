import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../common/metrics';
import { Config } from '../../config';
import { Loop } from '../../database/loop';
import { nextAttemptIn } from '../worker/retry-schedule';
import { type Claim, type FlowKey, MailClaims } from './mail-claims';
import { MailContents } from './mail-contents.service';
import { htmlOf } from './mail-html';
import { type Mail, type MailResult, MailSender } from './mail-sender';
import { textOf } from './mail-text';

const PAUSE_MS = 1000;
/** The most mails under way at a time, each on a connection of its own. */
const MAILS_AT_A_TIME = 5;
/** How long a mail under way may take once the service stops. */
const FINISH_MS = 5000;

type Ending = MailResult | { result: 'dropped'; error?: undefined };

/** Sends the mails that are due. */
@Injectable()
export class MailWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MailWorker.name);
  private readonly loop = new Loop('Sending mails', PAUSE_MS, () => this.sendDue());
  private readonly isOn: boolean;
  private readonly counter: Counter<'result'>;
  /** Set when the service stops. */
  private stopped?: Promise<void>;
  private readonly abort = new AbortController();

  constructor(
    { eventWorkers }: Config,
    metrics: Metrics,
    private readonly claims: MailClaims,
    private readonly contents: MailContents,
    private readonly sender: MailSender,
  ) {
    this.isOn = eventWorkers > 0 && sender.isConfigured;
    this.counter = metrics.counter('mails_total', 'Attempts to send a mail', ['result']);
  }

  onApplicationBootstrap(): void {
    if (this.isOn) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Begins no more mails. Resolves when those under way are sent, or have been put back after 5 s. */
  stop(): Promise<void> {
    return (this.stopped ??= this.finish());
  }

  private async finish(): Promise<void> {
    const timer = setTimeout(() => this.abort.abort(), FINISH_MS);
    await this.loop.stop();
    clearTimeout(timer);
  }

  private async sendDue(): Promise<void> {
    const flows = await this.claims.dueFlows();
    const sendOneAfterAnother = async () => {
      for (let flow = flows.shift(); flow && !this.stopped; flow = flows.shift()) {
        while (!this.stopped && (await this.sendNext(flow)));
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: MAILS_AT_A_TIME }, sendOneAfterAnother));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Makes an attempt at the next mail of a flow. False if there is none. */
  private async sendNext(flow: FlowKey): Promise<boolean> {
    const claim = await this.claims.claim(flow);
    if (!claim) return false;
    const { result: ending, error } = await this.attempt(claim);
    const seconds = this.abort.signal.aborted ? 0 : nextAttemptIn(claim.attempts);
    const result = ending === 'retried' && seconds === undefined ? 'failed' : ending;
    if (error) this.logger.warn(`Mail ${claim.event_id}, attempt ${claim.attempts}, ${result}: ${error}`);
    if (result === 'retried') await this.claims.release(claim, seconds!, error);
    else await this.claims.close(claim, result, error);
    this.counter.inc({ result });
    return true;
  }

  private async attempt(claim: Claim): Promise<Ending> {
    try {
      const mail = await this.mailOf(claim);
      return mail ? await this.sender.send(mail, this.abort.signal) : { result: 'dropped' };
    } catch (error) {
      this.logger.error(error);
      return { result: 'retried', error: 'The mail could not be written.' };
    }
  }

  /** Undefined if the address was cleared, or the session deleted. */
  private async mailOf({ workspace_id, flow_id, event_id, is_summary, to, date }: Claim): Promise<Mail | undefined> {
    if (to === null) return undefined;
    const content = is_summary
      ? await this.contents.ofSummary(workspace_id, flow_id, event_id)
      : await this.contents.ofEvent(workspace_id, flow_id, event_id);
    return (
      content && { id: event_id, to, date, subject: content.subject, text: textOf(content), html: htmlOf(content) }
    );
  }
}
