import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/api/problems/problem';
import { Config } from '../../settings/config';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import type { TransportName } from './delivery.entity';
import { MailTransport } from '../mails/mail-transport';
import { Attempts } from './attempts';
import type { Recipient, Transport } from './attempt-rules';
import { WebhookTransport } from '../webhooks/webhook-transport';

/** How often all workspaces are searched for deliveries that have become due. */
const POLL_MS = 1000;
/** How many recipients' deliveries are claimed at a time, each on a connection. */
const AT_A_TIME = 2;
/** How long attempts under way may take when the service stops. */
const STOP_MS = 5000;

/** Sends what is due: claims deliveries, and makes an attempt at each. Any number of processes share the work. */
@Injectable()
export class DeliveryWorker {
  private readonly transports: Record<TransportName, Transport>;
  /** Undefined if this process sends nothing. */
  private readonly job?: Job;
  /**
   * The recipients that may have deliveries to claim, by workspace and id. The workspace whose turn is next comes
   * first.
   */
  private readonly due = new Map<string, Map<string, Recipient>>();

  constructor(
    private readonly config: Config,
    private readonly attempts: Attempts,
    webhook: WebhookTransport,
    mail: MailTransport,
    jobs: Jobs,
  ) {
    this.transports = { webhook, mail };
    if (config.maxDeliveriesInFlight === 0 || !config.backgroundJobs) return;
    this.job = jobs.add({
      name: 'Deliveries',
      goesByTime: true,
      everyMs: POLL_MS,
      run: (isDue) => this.work(isDue),
      end: () => this.end(),
    });
  }

  /** Says that deliveries have become due. Without it they are found within a second. */
  wake(recipients: Recipient[]): void {
    if (!this.job) return;
    for (const recipient of recipients) this.add(recipient);
    if (recipients.length > 0) this.job.wake();
  }

  /** Throws a `sends_nothing` Problem if what is queued on request would wait for ever. */
  requireSending(): void {
    if (this.config.sendNothing) throw new Problem('sends_nothing');
  }

  /** Nothing more is claimed. What is under way has up to 5 s; what has no response by then is put back. */
  private async end(): Promise<void> {
    await this.attempts.end(STOP_MS, () => {
      for (const transport of Object.values(this.transports)) transport.close();
    });
  }

  private add(recipient: Recipient): void {
    const own = this.due.get(recipient.workspace_id) ?? new Map<string, Recipient>();
    this.due.set(recipient.workspace_id, own.set(recipient.id, recipient));
  }

  private async work(isDue: boolean): Promise<boolean> {
    if (isDue) {
      for (const transport of Object.values(this.transports))
        for (const recipient of await transport.due()) this.add(recipient);
    }
    const recipients = [...this.due.values()].flatMap((own) => [...own.values()]);
    await this.job!.forEach(recipients, (recipient) => this.claim(recipient), AT_A_TIME);
    return false;
  }

  /** Begins the attempts that there is room for. A recipient without room keeps its turn. */
  private async claim(recipient: Recipient): Promise<void> {
    const transport = this.transports[recipient.transport];
    const room = this.attempts.roomAt(recipient, transport.shares);
    if (room === 0) return;
    this.take(recipient);
    const claimed = await transport.claim(recipient, room);
    // Somebody claims for the same workspace, maybe this process. It is tried again with the next run.
    if (!claimed) return this.add(recipient);
    // After each attempt the next may be due: of the same session, or one that there was no room for.
    if (claimed.claims.length > 0) void this.attempts.begin(transport, claimed.claims, () => this.wake([recipient]));
    if (claimed.hasMore) this.wake([recipient]);
    if (claimed.moreIn !== undefined) setTimeout(() => this.wake([recipient]), claimed.moreIn * 1000).unref();
  }

  /** Takes out a recipient. The others of its workspace come behind all other workspaces. */
  private take({ workspace_id, id }: Recipient): void {
    const own = this.due.get(workspace_id);
    own?.delete(id);
    this.due.delete(workspace_id);
    if (own?.size) this.due.set(workspace_id, own);
  }
}
