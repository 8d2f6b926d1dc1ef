import type { IdempotentRequest } from '../../common/idempotent-request';
import { Problem } from '../../common/problem';
import type { FlowVersion } from '../../flows/flow-version.entity';
import type { Flow } from '../../flows/flow.entity';
import type { Workspace } from '../../workspaces/workspace.entity';

/** A session that asks to begin. */
export interface Start {
  workspace_id: string;
  session_id: string;
  flow_id: string;
  customer?: { id: string; email?: string; attributes?: object };
  /** The id of the key that signed who the customer is; undefined without a token, null with one that is not good. */
  signed_by?: string | null;
  /** The header `Origin`; undefined if no browser sent the request across origins. */
  origin?: string;
  idempotency?: IdempotentRequest;
}

/** A start that was admitted, with the version that its session stays on. */
export interface Begun extends Start {
  version: FlowVersion;
}

/** The result of a start: its session, or the one that began before under the same idempotency key. */
export interface Admitted {
  session_id: string;
  version: FlowVersion;
  /** Its branding. */
  workspace: Pick<Workspace, 'primary_color' | 'logo_url'>;
}

/** The settings of a workspace that bear on a start, besides its limit. */
export type WorkspaceSettings = Pick<
  Workspace,
  'id' | 'revision' | 'starts_are_events' | 'primary_color' | 'logo_url' | 'allowed_origins' | 'require_customer_token'
> & {
  /** The ids of the keys that sign customer tokens. */
  customer_keys: string[];
};

export interface StartableFlow {
  flow: Pick<Flow, 'id' | 'revision' | 'status' | 'first_published_at'>;
  version: FlowVersion;
}

/** A session that exists: it began under one of the idempotency keys, or is one of the starts, sent before. */
export interface EarlierSession {
  session_id: string;
  idempotency?: IdempotentRequest;
  version: FlowVersion;
}

/** What is known when the starts of a workspace are decided. */
export interface Situation {
  workspace: WorkspaceSettings;
  /** How many more sessions the limit allows. */
  room: number;
  /** The flows that are asked for, by id. */
  flows: Map<string, StartableFlow>;
  earlier: EarlierSession[];
}

/** Decides starts in their order, each by itself: a fault of one start refuses that start only. */
export function decide(
  starts: Start[],
  { workspace, room, flows, earlier }: Situation,
): { outcomes: (Admitted | Problem)[]; begun: Begun[] } {
  const begun: Begun[] = [];
  const sessions = new Map<string, EarlierSession>();
  const keys = new Map<string, EarlierSession>();
  const note = (session: EarlierSession) => {
    sessions.set(session.session_id, session);
    if (session.idempotency) keys.set(session.idempotency.key, session);
  };
  earlier.forEach(note);

  const outcomeOf = (start: Start): Admitted | Problem => {
    const { session_id, idempotency } = start;
    const { flow, version } = flows.get(start.flow_id)!;
    const wayOut = flow.first_published_at ? { cancellation_url: version.cancellation_url } : {};
    if (!isProven(start, workspace)) return new Problem('invalid_customer_token', wayOut);

    const known = sessions.get(session_id) ?? (idempotency && keys.get(idempotency.key));
    if (known && idempotency && !known.idempotency?.request_hash.equals(idempotency.request_hash)) {
      return new Problem('idempotency_key_reused');
    }
    if (known) return { session_id: known.session_id, version: known.version, workspace };

    if (!isAllowed(start.origin, workspace.allowed_origins)) return new Problem('origin_not_allowed', wayOut);
    if (flow.status !== 'published') return new Problem('flow_not_published', wayOut);
    if (begun.length >= room) return new Problem('session_limit_reached', wayOut);

    begun.push({ ...start, version });
    note({ session_id, idempotency, version });
    return { session_id, version, workspace };
  };

  return { outcomes: starts.map(outcomeOf), begun };
}

/** Whether the start proves who its customer is, if it has to. The key of its token may have been deleted meanwhile. */
function isProven({ signed_by }: Start, { require_customer_token, customer_keys }: WorkspaceSettings): boolean {
  return signed_by === undefined ? !require_customer_token : customer_keys.some((id) => id === signed_by);
}

function isAllowed(origin: string | undefined, allowed: string[]): boolean {
  return origin === undefined || allowed.length === 0 || allowed.includes(origin);
}
