import { Problem } from '../../common/problem';
import type { FlowVersion } from '../../flows/flow-version.entity';
import type { Flow } from '../../flows/flow.entity';
import type { Usage } from '../../workspaces/usage';
import type { Workspace } from '../../workspaces/workspace.entity';

/** A session that asks to begin. */
export interface Start {
  session_id: string;
  flow_id: string;
  customer?: { id: string; email?: string; attributes?: object };
  /** The header `Origin`; undefined if no browser sent the request across origins. */
  origin?: string;
  idempotency?: { key: string; request_hash: Buffer };
}

/** A start that was admitted, with the version that its session stays on. */
export interface Begun extends Start {
  version: FlowVersion;
}

/** The result of a start: its session, or the one that began before under the same idempotency key. */
export interface Admitted {
  session_id: string;
  version: FlowVersion;
  workspace: WorkspaceSettings;
}

/** The settings of a workspace that bear on a start, besides its usage. */
export type WorkspaceSettings = Pick<Workspace, 'primary_color' | 'logo_url' | 'allowed_origins'>;

/** What is known when the starts of a workspace are decided. */
export interface Situation {
  workspace: WorkspaceSettings;
  usage: Pick<Usage, 'session_limit' | 'sessions_used'>;
  /** The flows that are asked for, by id. */
  flows: Map<string, StartableFlow>;
  /** Sessions that began before under one of the idempotency keys, by key. */
  earlier: Map<string, { session_id: string; request_hash: Buffer; version: FlowVersion }>;
}

export interface StartableFlow {
  flow: Pick<Flow, 'status' | 'first_published_at'>;
  version: FlowVersion;
}

/** Decides starts in their order, each by itself: a fault of one start refuses that start only. */
export function decide(
  starts: Start[],
  { workspace, usage, flows, earlier }: Situation,
): { outcomes: (Admitted | Problem)[]; begun: Begun[] } {
  const begun: Begun[] = [];
  const begunByKey = new Map(earlier);

  const outcomeOf = (start: Start): Admitted | Problem => {
    const { session_id, idempotency } = start;
    const known = idempotency && begunByKey.get(idempotency.key);
    if (known && !known.request_hash.equals(idempotency.request_hash)) return new Problem('idempotency_key_reused');
    if (known) return { session_id: known.session_id, version: known.version, workspace };

    const { flow, version } = flows.get(start.flow_id)!;
    const wayOut = flow.first_published_at ? { cancellation_url: version.cancellation_url } : {};
    if (!isAllowed(start.origin, workspace.allowed_origins)) return new Problem('origin_not_allowed', wayOut);
    if (flow.status !== 'published') return new Problem('flow_not_published', wayOut);
    if (usage.sessions_used + begun.length >= usage.session_limit) return new Problem('session_limit_reached', wayOut);

    begun.push({ ...start, version });
    if (idempotency) begunByKey.set(idempotency.key, { session_id, request_hash: idempotency.request_hash, version });
    return { session_id, version, workspace };
  };

  return { outcomes: starts.map(outcomeOf), begun };
}

function isAllowed(origin: string | undefined, allowed: string[]): boolean {
  return origin === undefined || allowed.length === 0 || allowed.includes(origin);
}
