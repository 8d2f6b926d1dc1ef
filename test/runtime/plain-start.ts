import { createHash, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { FlowSlug } from '../../src/flows/lookup/flow-slug.entity';
import { FlowVersion } from '../../src/flows/versions/flow-version.entity';
import { Flow } from '../../src/flows/flow.entity';
import { newId } from '../../src/platform/api/ids';
import { now } from '../../src/platform/database/time';
import { FlowSession } from '../../src/sessions/flow-session.entity';
import { Workspace } from '../../src/workspaces/workspace.entity';

export interface Start {
  slug: string;
  origin?: string;
  customer?: string;
  key?: string;
}

/**
 * A start as anybody would write it, one at a time. It is the specification of the service's starts, which are decided
 * in memory and written in batches: `plain-start.e2e-spec.ts` holds them to it. Returns the session_id, or why there is
 * none.
 */
export function plainStart(database: DataSource, { slug, origin, customer, key }: Start): Promise<string> {
  return database.transaction(async (manager) => {
    const place = await manager.findOneBy(FlowSlug, { slug });
    if (!place) return 'flow_not_found';
    const { workspace_id, flow_id } = place;
    const lock = { mode: 'for_no_key_update' } as const;
    const workspace = await manager.findOneOrFail(Workspace, { where: { id: workspace_id }, lock });
    const { allowed_origins, session_limit, sessions_in_period, period } = workspace;
    const flow = await manager.findOneByOrFail(Flow, { workspace_id, id: flow_id });

    const request_hash = createHash('sha256').update(`${slug} ${customer}`).digest();
    const earlier = key && (await manager.findOneBy(FlowSession, { workspace_id, idempotency_key: key }));
    if (earlier) return earlier.request_hash!.equals(request_hash) ? earlier.session_id : 'idempotency_key_reused';
    if (origin && allowed_origins.length > 0 && !allowed_origins.includes(origin)) return 'origin_not_allowed';
    if (flow.status !== 'published') return 'flow_not_published';
    if (session_limit !== null && sessions_in_period >= session_limit) return 'session_limit_reached';

    const { current_version: version, estimated_monthly_value } = flow;
    const { definition, locale } = await manager.findOneByOrFail(FlowVersion, { workspace_id, flow_id, version });
    const session_id = randomUUID();
    const where = { workspace_id, flow_id, flow_version: version, locale, current_node_key: definition.entry };
    const who = customer ? { customer_id: customer, customer: {} } : {};
    const once = key ? { idempotency_key: key, request_hash } : {};
    const rest = { estimated_monthly_value, customer_verified: false, created_at: now, updated_at: now };
    const session = { id: newId(), session_id, status: 'in_progress' as const, ...where, ...who, ...once, ...rest };
    await manager.insert(FlowSession, session);
    const counted = { usage_period: period, sessions_used: sessions_in_period + 1 };
    await manager.update(Workspace, { id: workspace_id }, counted);
    return session_id;
  });
}
