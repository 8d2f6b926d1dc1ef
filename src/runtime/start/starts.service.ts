import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { requestHashOf } from '../../platform/api/idempotent-request';
import { newSessionId } from '../../sessions/session-ids';
import { Metrics } from '../../platform/metrics/metrics';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import type { ProblemCode } from '../../platform/api/problems/problem-codes';
import { Config } from '../../settings/config';
import { Batcher } from '../../platform/database/queue/batcher';
import { Citus } from '../../platform/database/connection/citus';
import { Pipeline } from '../../platform/database/transaction/pipeline.service';
import { problemOfPostgres } from '../../platform/database/transaction/postgres-errors';
import { Outbox } from '../../outbox/outbox.service';
import { FlowLookup, type FoundFlow } from '../../flows/lookup/flow-lookup.service';
import { CustomerKeysService } from '../../workspaces/customer-keys/customer-keys.service';
import { EligibilityService } from '../eligibility.service';
import { decideStarts, type Situation, type Start, type StartResult } from './admission-rules';
import { AdmissionStatements } from './admission-statements';
import { customerOf } from './customer.dto';
import { claimedFacts } from './subscription';
import type { InitSessionDto, StartContext } from './start.dto';

const WORKSPACES = 32;
const STARTS = 512;
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

type ResultName = 'started' | 'repeated' | ProblemCode;

/**
 * Results that a start is expected to have. A counter that exists from the beginning has a rate from its first event.
 */
const RESULTS: ResultName[] = [
  'started',
  'repeated',
  'session_limit_reached',
  'flow_not_found',
  'flow_not_published',
  'origin_not_allowed',
  'invalid_customer_token',
  'idempotency_key_reused',
  'service_unavailable',
];

type Results = (StartResult | Problem)[];

/**
 * Starts sessions: never more than the limit, counted exactly, and durable before any start is answered. A batch of
 * starts is one transaction for several workspaces. A workspace has one batch at a time, so a process never waits for
 * its own locks.
 */
@Injectable()
export class StartsService {
  private readonly batcher: Batcher<Start, StartResult>;
  /** Where the demo page is, as browsers see it: a proxy may have put the service below a path. */
  private readonly demoPath: string;
  private readonly batchSize: Histogram;
  private readonly results: Counter<'result'>;

  constructor(
    private readonly flows: FlowLookup,
    private readonly customerKeys: CustomerKeysService,
    private readonly pipeline: Pipeline,
    private readonly outbox: Outbox,
    private readonly eligibility: EligibilityService,
    citus: Citus,
    { databasePoolSize, publicUrl }: Config,
    metrics: Metrics,
  ) {
    this.demoPath = `${new URL(publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '')}/demo`;
    const slots = Math.ceil(databasePoolSize / 4);
    const keys = citus.keysOfBatch(WORKSPACES);
    this.batcher = new Batcher<Start, StartResult>(
      { slots, slotsOfKey: 1, keys, items: STARTS, waitMs: 5000 },
      (groups, isRetry) => this.commit(groups, isRetry),
      'flow_not_found',
    );
    metrics.gauge('session_start_queue_length', 'Starts that wait for a batch', () => this.batcher.queueLength);
    this.batchSize = metrics.histogram('session_start_batch_size', 'Starts that were committed together', BATCH_SIZES);
    this.results = metrics.counter('session_starts_total', 'Starts of sessions, by result', ['result']);
    for (const result of RESULTS) this.results.inc({ result }, 0);
  }

  /** The flow with a slug, and its workspace; undefined if no flow has it. */
  flowOf(slug: string): Promise<FoundFlow | undefined> {
    return this.countingFailures(() => this.flows.slug(slug));
  }

  /**
   * Starts a session on the current version of a published flow and counts it, both or neither.
   *
   * @param workspaceId the workspace of the flow; undefined, like the flow, if none has the slug
   */
  start(
    workspaceId: string | undefined,
    { flow, preferredLocale, origin, idempotencyKey, ownPage }: StartContext,
    request: InitSessionDto,
  ): Promise<StartResult> {
    return this.countingFailures(async () => {
      if (workspaceId === undefined || flow === undefined) throw new Problem('flow_not_found');
      const session_id = newSessionId(flow.code);
      const { warnings, ...identity } = await this.identityOf(workspaceId, request);
      const started = await this.batcher.submit(workspaceId, {
        workspace_id: workspaceId,
        session_id,
        flow_id: flow.flow_id,
        locale: request.locale ?? preferredLocale,
        ...identity,
        source: ownPage !== undefined && this.isDemo(ownPage) ? 'demo' : undefined,
        origin,
        idempotency: idempotencyKey ? { key: idempotencyKey, request_hash: hashOf(request, identity) } : undefined,
      });
      this.results.inc({ result: started.session_id === session_id ? 'started' : 'repeated' });
      return warnings?.length ? { ...started, warnings } : started;
    });
  }

  /** Whether a page is `/demo` of this service: customers may have a page of that name beside it, on the same host. */
  private isDemo(page: string): boolean {
    return URL.canParse(page) && new URL(page).pathname === this.demoPath;
  }

  private async countingFailures<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const problem = error instanceof Problem ? error : problemOfPostgres(error);
      this.results.inc({ result: problem?.code ?? 'internal_error' });
      throw error;
    }
  }

  /** The customer, as the page or a token says. A fault of a token is judged in the batch, like any other. */
  private async identityOf(
    workspaceId: string,
    { flow_slug, customer, customer_token }: InitSessionDto,
  ): Promise<Identity & { warnings?: FieldError[] }> {
    if (customer_token === undefined) return { customer };
    const claims = await this.customerKeys.verify(workspaceId, customer_token);
    if (typeof claims === 'string') return { token_fault: claims };
    if (claims.flow !== undefined && claims.flow !== flow_slug) return { token_fault: 'wrong_flow' };
    const signed = customerOf(claims);
    if (!signed) return { token_fault: 'invalid_claims' };
    const { subscription } = signed.customer;
    const claimed_facts = subscription && claimedFacts(subscription, claims.at);
    return { ...signed, signed_by: claims.key_id, claimed_facts };
  }

  /** Commits starts, in groups by workspace. A group whose workspace somebody else has locked has no results. */
  private async commit(groups: Start[][], isRetry: boolean): Promise<(Results | undefined)[]> {
    const { results, admissions } = await this.pipeline.run(async (send, manager) => {
      const workspaceIds = groups.map(([{ workspace_id }]) => workspace_id);
      const statements = new AdmissionStatements(send, workspaceIds);
      const situations = await this.read(groups.flat(), isRetry, statements, manager);
      const decided = groups.map((starts) => {
        const situation = situations.get(starts[0].workspace_id);
        return situation && decideStarts(starts, situation);
      });
      const admissions = decided.flatMap((one) => (one && one.begun.length > 0 ? one : []));
      return async () => {
        if (admissions.length > 0) await statements.write(admissions);
        return { results: decided.map((one) => one?.results), admissions };
      };
    });
    if (admissions.length > 0) this.batchSize.observe(admissions.reduce((sum, { begun }) => sum + begun.length, 0));
    for (const { begun } of admissions) for (const one of begun) this.eligibility.request(one);
    for (const { workspace, limitEvents } of admissions) {
      if (workspace.starts_are_events || limitEvents.length > 0) this.outbox.announce(workspace.id);
    }
    return results;
  }

  /** Locks the workspaces of starts and reads what decides. Workspaces locked by others are missing. */
  private async read(
    starts: Start[],
    isRetry: boolean,
    statements: AdmissionStatements,
    manager: EntityManager,
  ): Promise<Map<string, Situation>> {
    const keyed = starts.filter(({ idempotency }) => idempotency);
    // One connection sends them in this order. The lock is a statement of its own, because one that waits for a lock
    // reads other rows as they were before it waited. Once this transaction has the lock, `SKIP LOCKED` skips none of
    // its rows.
    const [, rows, keys, ...sessions] = await Promise.all([
      isRetry && statements.lock(),
      statements.flowsOf(starts),
      starts.some(({ signed_by }) => signed_by) ? statements.customerKeys() : [],
      keyed.length > 0 ? statements.earlier(keyed, 'idempotency_key') : [],
      // Only what is tried again may have been committed before, although an error was reported.
      isRetry ? statements.earlier(starts, 'session_id') : [],
    ]);
    const situations = new Map<string, Situation>();
    for (const row of rows) {
      const { id: workspace_id, flow_id, current_version: flow_version } = row;
      const situation = situations.get(workspace_id) ?? {
        workspace: row,
        customerKeys: keys.filter((key) => key.workspace_id === workspace_id).map((key) => key.id),
        flows: new Map(),
        earlier: [],
      };
      situations.set(workspace_id, situation);
      const version = await this.flows.version({ workspace_id, flow_id, flow_version }, manager);
      situation.flows.set(flow_id, { ...row, version });
    }
    for (const session of sessions.flat()) {
      const { workspace_id, session_id, locale, idempotency_key, request_hash } = session;
      const version = await this.flows.version(session, manager);
      const idempotency = idempotency_key ? { key: idempotency_key, request_hash: request_hash! } : undefined;
      situations.get(workspace_id)?.earlier.push({ session_id, locale, idempotency, version });
    }
    return situations;
  }
}

type Identity = Pick<Start, 'customer' | 'signed_by' | 'claimed_facts' | 'token_fault'>;

/** A hash of what is asked for, not of a token's text: a page that is reloaded sends the same key with a new token. */
function hashOf({ flow_slug, locale }: InitSessionDto, { customer, signed_by }: Identity): Buffer {
  return requestHashOf({ flow_slug, locale, customer, is_signed: signed_by !== undefined });
}
