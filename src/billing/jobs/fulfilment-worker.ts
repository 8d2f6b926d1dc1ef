import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { Age } from '../../platform/metrics/age';
import { Metrics } from '../../platform/metrics/metrics';
import { Tally } from '../../platform/common/tally';
import { Config } from '../../settings/config';
import { type Job, Jobs } from '../../platform/database/queue/jobs.service';
import { type Effect, partLeft } from '../../sessions/effect';
import type { Fulfilment } from '../../billing-jobs/fulfilment.entity';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { byHand } from '../model/by-hand';
import { type Connected, ConnectionsService } from '../connections/connections.service';
import { CLAIM, DROP, DROP_EARLIER, DUE, END, FORGET, MOST_WAITING, RECORD, RETRY } from './fulfilment-statements';
import type { Ending } from '../model/task';
import { attempt, type RecordRequest } from './attempt';
import { type Described, TasksService } from './tasks.service';

/** How often all workspaces are searched for jobs that are due. */
const POLL_MS = 1000;
/** The most attempts of this process that are under way, for all workspaces and for one. */
const MOST = 24;
const MOST_OF_WORKSPACE = 4;
/** Seconds until the next attempt: the first one soon, and the last ones every four hours. */
const FIRST_WAIT = 5;
const LONGEST_WAIT = 4 * 60 * 60;
const MAX_DETAIL = 5000;
/** How long attempts under way may take when the service stops. */
const STOP_MS = 5000;

/** Results of an attempt. */
const RESULTS = ['applied', 'dry_run', 'manual', 'failed', 'none', 'retried'] as const;

/** `was_canceled`: a cancellation was carried out before the customer accepted an offer. */
type Claimed = Fulfilment & {
  is_superseded: boolean;
  is_dropped: boolean;
  is_crowded_out: boolean;
  was_canceled: boolean;
  is_last: boolean;
};

/**
 * Carries out what sessions left for billing. A step that ends a session leaves a job in its own transaction; any
 * number of processes claim jobs and make attempts, each with a lease. No transaction is open while the provider is
 * asked. An attempt reads the subscription first, whose metadata says whether the job is done: a process may have died
 * before it stored that.
 */
@Injectable()
export class FulfilmentWorker {
  private readonly job?: Job;
  private readonly underWay = new Set<Promise<void>>();
  private readonly shares = new Tally();
  private readonly results: Counter<'result'>;
  private readonly oldestDue = new Age();

  constructor(
    private readonly pool: ConnectionPool,
    private readonly units: UnitsOfWork,
    private readonly connections: ConnectionsService,
    private readonly tasks: TasksService,
    { sendNothing }: Config,
    metrics: Metrics,
    jobs: Jobs,
  ) {
    this.results = metrics.counter('fulfilments_total', 'Attempts to carry out what customers decided', ['result']);
    for (const result of RESULTS) this.results.inc({ result }, 0);
    metrics.gauge(
      'fulfilments_oldest_due_seconds',
      'How long the oldest decision is overdue that could be carried out',
      () => this.oldestDue.seconds,
    );
    if (sendNothing) return;
    // Another process takes over a job that takes longer, once its lease is over.
    const end = () =>
      Promise.race([Promise.allSettled(this.underWay), pause(STOP_MS, undefined, { ref: false })]).then(() => {});
    this.job = jobs.add({ name: 'Fulfilments', everyMs: POLL_MS, goesByTime: true, run: () => this.work(), end });
  }

  private async work(): Promise<boolean> {
    const due = await this.oldestDue.look(
      () => this.pool.rows<{ workspace_id: string; seconds: number }>(DUE),
      (found) => found.map(({ seconds }) => seconds),
    );
    await this.job!.forEach(due, async ({ workspace_id }) => {
      const room = Math.min(MOST - this.underWay.size, MOST_OF_WORKSPACE - this.shares.of(workspace_id));
      if (room <= 0) return;
      const claimed = await this.in(workspace_id, (work) => work.rows<Claimed>(CLAIM, { most: room }));
      for (const job of claimed) this.begin(job);
    });
    return false;
  }

  /** An attempt that fails by an error of ours is made again when its lease is over. */
  private begin(job: Claimed): void {
    this.shares.add(job.workspace_id, 1);
    const attempt = this.job!.forEach([job], () => this.attempt(job))
      .catch(() => undefined)
      .finally(() => {
        this.shares.add(job.workspace_id, -1);
        this.underWay.delete(attempt);
        // The next one of the subscription may be due.
        this.job!.wake();
      });
    this.underWay.add(attempt);
  }

  private async attempt(job: Claimed): Promise<void> {
    const connected = await this.connections.connected(job.workspace_id);
    if (connected === 'none')
      return this.close(job, { state: 'manual', detail: 'The billing system is no longer connected.' });
    if (connected === 'unreadable') {
      const detail = 'The key of the connection cannot be read. Set it again.';
      return this.close(job, { state: 'pending', detail, isRefused: true });
    }
    const { connection } = connected;
    // Whoever changes the connection to a dry run stops what waits, too.
    const mode = connection.mode === 'live' ? job.mode : 'dry_run';
    const described = await this.tasks.describe(job.workspace_id, { ...job, mode }, connection);
    const ending = await this.carryOut(job, described, connected);
    await this.close(job, ending, described, mode);
  }

  private async carryOut(job: Claimed, described: Described, { connection, provider }: Connected): Promise<Ending> {
    if (job.is_dropped || (job.is_crowded_out && job.action !== 'apply')) return { state: 'none' };
    if ('obstacle' in described) return { state: 'manual', detail: described.obstacle };
    if (job.is_crowded_out) {
      const detail = `${MOST_WAITING} later decisions about this subscription wait. Check whether this one still applies.`;
      return { state: 'manual', detail };
    }
    if (job.is_superseded) {
      const detail = 'A later decision about this subscription was carried out. Check whether this one still applies.';
      return { state: 'manual', detail };
    }
    const { task } = described;
    let lost: unknown;
    const record: RecordRequest = (request, effect) =>
      this.record(job, request, effect, task.customer.id === null).catch((error: unknown) => {
        lost = error;
        throw error;
      });
    const ending = await attempt(task, provider, record);
    if (lost) throw lost;
    await this.connections.note(job.workspace_id, connection, ending, job.attempts > 1);
    return ending;
  }

  /**
   * Stores what is about to be sent, and returns its key. Throws if the attempt is taken for dead, or the customer was
   * erased meanwhile.
   */
  private async record(job: Claimed, request: object, effect: Effect, isErased: boolean): Promise<string> {
    const values = { ...attemptOf(job), request, effect, is_erased: isErased };
    const row = await this.in(job.workspace_id, (work) => work.row<{ request_number: number }>(RECORD, values));
    if (!row) throw new Error('the attempt took longer than its lease, or its customer was erased');
    return `${job.flow_session_id}-${row.request_number}`;
  }

  private async close(job: Claimed, attempted: Ending, described?: Described, mode = job.mode): Promise<void> {
    const attempt = attemptOf(job);
    if (attempted.state === 'pending' && (attempted.isRefused || !job.is_last)) {
      const { detail, isAnswered = false, isRefused = false, retryAfter = 0 } = attempted;
      const wait = Math.max(waitAfter(job.attempts), Math.min(retryAfter, LONGEST_WAIT));
      const values = { ...attempt, detail, seconds: wait, is_answered: isAnswered, is_refused: isRefused };
      await this.in(job.workspace_id, (work) => work.write(RETRY, values));
      this.results.inc({ result: 'retried' });
      return;
    }
    const given: Ended = attempted.state === 'pending' ? { state: 'manual', detail: attempted.detail } : attempted;
    const ending = mode === 'dry_run' ? inDryRun(given, job) : given;
    const { state } = ending;
    const isOurs = await this.in(job.workspace_id, async (work) => {
      // DROP_EARLIER reads the job, so it runs before DROP. It holds even if another process ends the attempt: the
      // customer stays.
      if (job.action !== 'cancel') await work.write(DROP_EARLIER, { session: job.flow_session_id });
      if (ending.state === 'none') return (await work.write(DROP, attempt)) > 0;
      const isForPerson = state === 'manual' || state === 'failed';
      const { effect = null } = ending;
      // Nothing is to be done again of what was made.
      const todo = described && isForPerson && !effect ? todoOf(described, job) : undefined;
      const detail = withTodo(ending.detail, todo)?.slice(0, MAX_DETAIL) ?? null;
      // A person may do something else than was set out.
      const part_left = isForPerson ? null : effect && partLeft(effect, job.created_at);
      if ((await work.write(END, { ...attempt, detail, state, effect, part_left })) === 0) return false;
      await work.write(FORGET, { sessions: [job.flow_session_id] });
      if (state === 'applied' || isForPerson) {
        await work.emit({ type: `fulfilment.${state}`, flow_session_id: job.flow_session_id });
      }
      return true;
    });
    // Otherwise somebody else has ended it.
    if (isOurs) this.results.inc({ result: state });
  }

  private in<T>(workspaceId: string, steps: (work: Work) => Promise<T>): Promise<T> {
    return this.units.run(theServiceIn(workspaceId), steps);
  }
}

/** The values of statements about an attempt. */
function attemptOf({ flow_session_id, attempts }: Claimed) {
  return { session: flow_session_id, attempt: attempts };
}

type Ended = Exclude<Ending, { state: 'pending' }>;

/** Nobody has to do anything because of a dry run. What was done before it stays done. */
function inDryRun(ending: Ended, { mode }: Claimed): Ended {
  switch (ending.state) {
    case 'manual':
    case 'failed':
      if (mode === 'live' && ending.effect) return ending;
      return { state: 'dry_run', detail: `A person would have to look: ${ending.detail}` };
    case 'applied':
      return mode === 'live'
        ? ending
        : { state: 'dry_run', detail: `Nothing would be sent. ${ending.detail ?? ''}`.trim() };
    default:
      return ending;
  }
}

function todoOf(described: Described, { was_canceled }: Claimed): string {
  const { action, offer } = described;
  const todo = byHand(action, offer, 'task' in described ? described.task.proration : undefined);
  return was_canceled ? `${todo} The cancellation that was carried out before may have to be taken back.` : todo;
}

/** Why, and what to do instead. What a provider says may lack its full stop. */
function withTodo(why: string | null, todo: string | undefined): string | null {
  if (!why || !todo) return why || (todo ?? null);
  return `${/[.!?:]$/.test(why) ? why : `${why}.`} ${todo}`;
}

/**
 * Doubles with each attempt, and is up to a fifth shorter or longer, so that what failed together is not tried
 * together.
 */
function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT) * (0.8 + 0.4 * Math.random());
}
