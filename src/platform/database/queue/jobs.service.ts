import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics';
import { Config } from '../../../settings/config';
import { isOfServer, isReadTimeout, problemOfPostgres } from '../transaction/postgres-errors';

export interface JobSettings {
  /** Its name in the log and the metrics. */
  name: string;
  /** The pause between two runs, in milliseconds, unless somebody wakes it. */
  everyMs: number;
  /** Whether it looks for what becomes due as time passes. */
  goesByTime?: boolean;
  /**
   * Does the work, or a part of it. Returns whether there is more, which the next run does at once.
   *
   * @param isDue whether the pause is over. If not, it was woken in between.
   */
  run: (isDue: boolean) => Promise<boolean>;
  /** Ends what a run has left under way, once no more runs begin. */
  end?: () => Promise<void>;
}

/**
 * All work in the background. A job is added before the service has started, and runs from then on: at once, when
 * somebody wakes it, and after a pause otherwise; never twice at a time in a process. Other processes run the same job
 * at the same time, so a job locks what it works at, and leaves out what is locked.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly jobs: Job[] = [];
  private readonly noteDone: (job: string) => void;
  private stopped?: Promise<void>;

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    const lastDone = metrics.labeledGauge(
      'background_last_done_timestamp_seconds',
      'When this process last got through its work in the background, or started it',
      ['work'],
    );
    this.noteDone = (work) => lastDone.setToCurrentTime({ work });
  }

  add(settings: JobSettings): Job {
    const job = new Job(settings, this.noteDone);
    this.jobs.push(job);
    return job;
  }

  onApplicationBootstrap(): void {
    if (this.config.backgroundJobs) for (const job of this.jobs) job.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Resolves when the runs under way are done, and what they left under way has ended. */
  stop(): Promise<void> {
    return (this.stopped ??= Promise.all(this.jobs.map((job) => job.stop())).then(() => undefined));
  }

  /** Lets the jobs run now that go by time: it has passed in a workspace. */
  timeHasPassed(): void {
    for (const job of this.jobs) if (job.settings.goesByTime) job.wake(true);
  }

  /** Lets a job run now, as if its pause were over. Throws if no job has the name. */
  runNow(name: string): void {
    const named = this.jobs.filter(({ settings }) => settings.name === name);
    if (named.length === 0) throw new Error(`No job is called "${name}"`);
    for (const job of named) job.wake(true);
  }
}

export class Job {
  private readonly logger = new Logger('Jobs');
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private isWoken = false;
  /** When the pause after the last run is over, by `performance.now()`. */
  private dueAt = 0;
  private isFailing = false;
  private hasStarted = false;
  private readonly ending = new AbortController();

  constructor(
    readonly settings: JobSettings,
    private readonly noteDone: (job: string) => void,
  ) {}

  /** Aborts when the service stops, for work that can be canceled. */
  get stopping(): AbortSignal {
    return this.ending.signal;
  }

  /** Whether it begins no more work. Long runs ask in between. */
  get isStopping(): boolean {
    return this.stopping.aborted;
  }

  start(): void {
    this.hasStarted = true;
    this.noteProgress();
    this.wake();
  }

  /** Makes it run now, or once more if it is running. */
  wake(isDue = false): void {
    if (!this.hasStarted || this.isStopping) return;
    if (isDue) this.dueAt = 0;
    clearTimeout(this.timer);
    if (this.running) this.isWoken = true;
    // Not before `running` is set: the work may wake its own job.
    else this.running = Promise.resolve().then(() => this.runUntilIdle());
  }

  /** Says that a run which takes long goes on, so that nobody takes it for stuck. */
  noteProgress(): void {
    if (this.hasStarted) this.noteDone(this.settings.name);
  }

  /**
   * Works for one workspace after another, or for some at a time, until the service stops. One that fails is logged,
   * and does not hold up the others. The run fails if all of them did.
   */
  async forEach<Row extends { workspace_id: string }>(
    rows: Row[],
    work: (row: Row) => Promise<void>,
    atATime = 1,
  ): Promise<void> {
    const left = [...rows];
    const failures: unknown[] = [];
    const next = async () => {
      for (let row = left.shift(); row && !this.isStopping; row = left.shift()) {
        try {
          await work(row);
          this.noteProgress();
        } catch (error) {
          // A statement that took too long is one of this workspace.
          if (isOfServer(error) && !isReadTimeout(error)) throw error;
          failures.push(error);
          if (!this.isStopping) this.logFailure(error, `${this.settings.name} of workspace ${row.workspace_id}`);
        }
      }
    };
    // If the server fails, the others still end: the run is over when nothing of it is under way.
    const ends = await Promise.allSettled(Array.from({ length: atATime }, next));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (!this.isStopping && rows.length > 0 && failures.length === rows.length)
      throw new AllFailed('All workspaces of the run failed.');
  }

  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.timer);
    await this.running;
    if (this.hasStarted) await this.settings.end?.();
  }

  private async runUntilIdle(): Promise<void> {
    try {
      do {
        this.isWoken = false;
        if (await this.runOnce()) this.isWoken = true;
        this.noteProgress();
      } while (this.isWoken && !this.isStopping);
      this.isFailing = false;
    } catch (error) {
      // The next run tries again. While the database is in trouble, only the first failure is logged.
      const isKnown = error instanceof AllFailed || (this.isFailing && problemOfPostgres(error));
      if (!isKnown) this.logFailure(error);
      this.isFailing = true;
    }
    this.running = undefined;
    if (!this.isStopping) this.timer = setTimeout(() => this.wake(), this.dueAt - performance.now()).unref();
  }

  /** A defect of ours is an error with its stack; what the database says is a warning. */
  private logFailure(error: unknown, work = this.settings.name): void {
    if (problemOfPostgres(error)) this.logger.warn(`${work}: ${String(error)}`);
    else this.logger.error(`${work}: ${String(error)}`, error instanceof Error ? error.stack : undefined);
  }

  private async runOnce(): Promise<boolean> {
    const isDue = performance.now() >= this.dueAt;
    // Waking it meanwhile may make it due again.
    if (isDue) this.dueAt = Infinity;
    try {
      return await this.settings.run(isDue);
    } finally {
      if (this.dueAt === Infinity) this.dueAt = performance.now() + this.settings.everyMs;
    }
  }
}

/** Each workspace of a run failed, and was logged. */
class AllFailed extends Error {}
