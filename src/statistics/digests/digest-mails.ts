import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../settings/config';
import { consolePage } from '../../platform/common/console-page';
import { newId } from '../../platform/api/ids';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { messageOf } from '../../platform/mail/layout';
import { Mailer } from '../../platform/mail/mailer';
import { DigestsService, type DueDigest, MOST_DUE } from '../../people/members/digests.service';
import { theServiceIn } from '../../tenancy/work/tenant';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { type LastReport, ReportService } from '../report/report.service';
import { digestContent } from './digest-content';

const EVERY_MS = 60_000;
/** The longest that a mail may take, in milliseconds. */
const MAIL_MS = 10_000;

/** Mails people the report of the last week or month, as they have chosen. */
@Injectable()
export class DigestMails {
  private readonly logger = new Logger(DigestMails.name);
  private readonly job: Job;

  constructor(
    private readonly digests: DigestsService,
    private readonly reports: ReportService,
    private readonly workspaces: WorkspacesService,
    private readonly mailer: Mailer,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    this.job = jobs.add({ name: 'Reports by mail', everyMs: EVERY_MS, goesByTime: true, run: () => this.sendAll() });
  }

  private async sendAll(): Promise<boolean> {
    if (!this.mailer.isOn) return false;
    const due = await this.digests.due();
    /** By workspace and unit: many people may get the same report. */
    const reports = new Map<string, Promise<LastReport>>();
    await this.job.forEach(due, (one) => this.send(one, reports));
    return due.length === MOST_DUE;
  }

  /** A mail that may succeed later is tried again in an hour. */
  private async send({ workspace_id, person_id }: DueDigest, reports: Map<string, Promise<LastReport>>): Promise<void> {
    const claimed = await this.digests.claim(workspace_id, person_id);
    if (!claimed) return;
    const unit = claimed.digest === 'weekly' ? 'week' : 'month';
    const key = `${workspace_id} ${unit}`;
    const report = reports.get(key) ?? this.reports.readLast(theServiceIn(workspace_id), unit, this.job.stopping);
    reports.set(key, report);
    const { name } = await this.workspaces.get(workspace_id);
    const mail = { ...messageOf(digestContent(name, unit, await report, this.link)), id: newId(), to: claimed.email };
    // A stop waits for it: a mail that is cut off may have been sent, and would come twice.
    const failure = await this.mailer.send(mail, AbortSignal.timeout(MAIL_MS));
    if (failure) this.logger.warn(`The report for a person of workspace ${workspace_id}: ${failure.error}`);
    if (!failure || failure.isFinal) await this.digests.settle(workspace_id, person_id);
  }

  private get link(): string | undefined {
    const { publicUrl } = this.config;
    return publicUrl === undefined ? undefined : consolePage(publicUrl, 'report');
  }
}
