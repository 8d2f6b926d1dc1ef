import type { IdempotentRequest } from '../../platform/api/idempotent-request';
import type { Attributes } from '../../platform/text/placeholders';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import type { TokenFault } from '../../platform/api/problems/problem-codes';
import type { NewEvent } from '../../outbox/event-types';
import type { Facts } from '../../conditions/facts';
import type { SessionSource } from '../../sessions/session-source';
import type { FlowVersion } from '../../flows/versions/flow-version.entity';
import type { Flow } from '../../flows/flow.entity';
import type { Workspace } from '../../workspaces/workspace.entity';
import type { Subscription } from './subscription';

/** A session that asks to begin. */
export interface Start {
  workspace_id: string;
  session_id: string;
  flow_id: string;
  /** The language that was asked for. */
  locale?: string;
  customer?: { id: string; email?: string; attributes?: Attributes; subscription?: Subscription; billing_id?: string };
  /** The id of the key that signed who the customer is. */
  signed_by?: string;
  /** What the token says of the subscription. */
  claimed_facts?: Facts;
  /** The fault of the customer token. */
  token_fault?: TokenFault;
  /** What asks; undefined for pages and apps of customers. */
  source?: SessionSource;
  /** The header `Origin`; undefined if no browser sent the request across origins. */
  origin?: string;
  idempotency?: IdempotentRequest;
}

/** A session that begins, with the version that it stays on, and the flow's estimate of this moment. */
export interface NewSession extends Start, Pick<Flow, 'estimated_monthly_value'> {
  locale: string;
  version: FlowVersion;
}

/** An existing session: it has one of the idempotency keys, or is a start that was committed before. */
export type EarlierSession = Pick<NewSession, 'session_id' | 'locale' | 'idempotency' | 'version'>;

/** The result of a start: its session, or the one that began before under the same idempotency key. */
export interface StartResult extends Pick<NewSession, 'session_id' | 'locale' | 'version'> {
  /** Its branding. */
  workspace: Pick<Workspace, 'primary_color' | 'logo_url' | 'brand'>;
  /** The customer's, for the texts. */
  attributes: Attributes;
  /** What is wrong with optional claims of its customer token. */
  warnings?: FieldError[];
}

/** A workspace under lock: its settings, and the sessions that count in its month. */
export type LockedWorkspace = Pick<
  Workspace,
  | 'id'
  | 'session_limit'
  | 'period'
  | 'sessions_in_period'
  | 'starts_are_events'
  | 'primary_color'
  | 'logo_url'
  | 'brand'
  | 'allowed_origins'
  | 'require_customer_token'
>;

/** A flow with its current version. */
export type StartableFlow = Pick<Flow, 'status' | 'first_published_at' | 'estimated_monthly_value'> & {
  version: FlowVersion;
};

/** Everything that the decision about the starts of a workspace depends on. */
export interface Situation {
  workspace: LockedWorkspace;
  /** The ids of the keys that sign customer tokens; not read if no start is signed. */
  customerKeys: string[];
  /** The flows that are asked for, by id. */
  flows: Map<string, StartableFlow>;
  earlier: EarlierSession[];
}

/** Sessions of a workspace that begin, and the events of its limit that this causes. */
export interface Admission {
  workspace: LockedWorkspace;
  begun: NewSession[];
  limitEvents: NewEvent[];
}

/** Decides starts in their order. A fault of one start refuses that start only. */
export function decideStarts(
  starts: Start[],
  { workspace, customerKeys, flows, earlier }: Situation,
): { results: (StartResult | Problem)[] } & Admission {
  const begun: NewSession[] = [];
  const room = (workspace.session_limit ?? Infinity) - workspace.sessions_in_period;
  const byKey = new Map(earlier.map((session) => [session.idempotency?.key, session]));

  const resultOf = (start: Start): StartResult | Problem => {
    const { session_id, idempotency, customer } = start;
    const started = ({ session_id, locale, version }: EarlierSession): StartResult => {
      return { session_id, locale, version, workspace, attributes: customer?.attributes ?? {} };
    };
    const flow = flows.get(start.flow_id);
    // The process remembers a flow that the database has lost: it was restored, or another server took over.
    if (!flow) return new Problem('flow_not_found');
    const { version, estimated_monthly_value } = flow;
    const wayOut = flow.first_published_at ? { cancellation_url: version.cancellation_url } : {};
    const fault = faultOf(start, workspace, customerKeys);
    if (fault) return Problem.refusedToken(fault, wayOut);

    const known =
      earlier.find((session) => session.session_id === session_id) ?? (idempotency && byKey.get(idempotency.key));
    if (known && idempotency && !known.idempotency?.request_hash.equals(idempotency.request_hash)) {
      return new Problem('idempotency_key_reused');
    }
    if (known) return started(known);

    if (!isAllowed(start.origin, workspace.allowed_origins)) return new Problem('origin_not_allowed', wayOut);
    if (flow.status !== 'published') return new Problem('flow_not_published', wayOut);
    if (begun.length >= room) return new Problem('session_limit_reached', wayOut);

    const session = { ...start, locale: start.locale ?? version.locale, version, estimated_monthly_value };
    begun.push(session);
    if (idempotency) byKey.set(idempotency.key, session);
    return started(session);
  };

  const results = starts.map(resultOf);
  return { results, workspace, begun, limitEvents: limitEvents(workspace, begun.length) };
}

/**
 * Why a start does not prove who its customer is, if it has to. The key of its token may have been deleted meanwhile.
 */
function faultOf(
  { signed_by, token_fault }: Start,
  { require_customer_token }: LockedWorkspace,
  customerKeys: string[],
): TokenFault | undefined {
  if (token_fault) return token_fault;
  if (signed_by === undefined) return require_customer_token ? 'missing' : undefined;
  return customerKeys.includes(signed_by) ? undefined : 'unknown_key';
}

/**
 * The events of a count that goes up: at 80 % of the limit, rounded up, unless that is the limit itself, and at the
 * limit.
 */
function limitEvents({ session_limit, sessions_in_period, period }: LockedWorkspace, begun: number): NewEvent[] {
  if (session_limit === null) return [];
  const sessions_used = sessions_in_period + begun;
  const data = { session_limit, sessions_used, period_start: period.toISOString() };
  const isReached = (mark: number) => sessions_in_period < mark && mark <= sessions_used;
  const events: NewEvent[] = [];
  const near = Math.ceil((session_limit * 4) / 5);
  if (near < session_limit && isReached(near)) events.push({ type: 'workspace.limit_approaching', data });
  if (isReached(session_limit)) events.push({ type: 'workspace.limit_reached', data });
  return events;
}

function isAllowed(origin: string | undefined, allowed: string[]): boolean {
  return origin === undefined || allowed.length === 0 || allowed.includes(origin);
}
