import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Clock } from '../common/clock';
import { newSessionId } from '../common/ids';
import { Problem } from '../common/problem';
import { Transactions } from '../database/transactions';
import { FlowVersion } from '../flows/flow-version.entity';
import { Flow } from '../flows/flow.entity';
import { FlowsService } from '../flows/flows.service';
import { usageAt } from '../workspaces/usage';
import { Workspace } from '../workspaces/workspace.entity';
import { InitSessionDto, StartedSessionDto } from './dto/init-session.dto';
import { FlowSession } from './flow-session.entity';

/** What a start comes with besides its body. */
export interface StartContext {
  idempotencyKey?: string;
  /** The header `Origin`; undefined for a request that no browser sent across origins. */
  origin?: string;
}

/** Sessions of customers on their way through a flow. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly flows: FlowsService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session on the current version of a published flow and counts it, both or neither.
   * The workspace's row is locked first, so that no two starts see the same count.
   */
  async start(request: InitSessionDto, { idempotencyKey, origin }: StartContext): Promise<StartedSessionDto> {
    const slug = await this.flows.findBySlug(request.flow_slug);
    if (!slug) throw new Problem('flow_not_found');
    const { workspace_id, flow_id } = slug;
    const request_hash = idempotencyKey ? hashOf(request) : null;
    return this.transactions.run(async (manager) => {
      const workspace = await lockWorkspace(manager, workspace_id);
      const earlier = idempotencyKey
        ? await manager.findOneBy(FlowSession, { workspace_id, idempotency_key: idempotencyKey })
        : null;
      if (earlier) {
        if (!earlier.request_hash!.equals(request_hash!)) {
          throw new Problem('idempotency_key_reused');
        }
        const { flow_id, flow_version: version } = earlier;
        return answer(
          earlier.id,
          workspace,
          await manager.findOneByOrFail(FlowVersion, { workspace_id, flow_id, version }),
        );
      }
      const flow = await manager.findOneByOrFail(Flow, { workspace_id, id: flow_id });
      const version = await manager.findOneByOrFail(FlowVersion, {
        workspace_id,
        flow_id,
        version: flow.current_version,
      });
      const way_out = flow.first_published_at ? { cancellation_url: version.cancellation_url } : {};
      if (origin && workspace.allowed_origins.length > 0 && !workspace.allowed_origins.includes(origin)) {
        throw new Problem('origin_not_allowed', way_out);
      }
      if (flow.status !== 'published') throw new Problem('flow_not_published', way_out);
      const now = this.clock.now();
      const usage = usageAt(workspace, now);
      if (usage.sessions_used >= usage.session_limit) {
        throw new Problem('session_limit_reached', way_out);
      }
      const id = newSessionId();
      await manager.insert(FlowSession, {
        id,
        workspace_id,
        flow_id,
        flow_version: version.version,
        status: 'in_progress',
        current_node_key: version.definition.entry,
        customer_id: request.customer?.id,
        customer: request.customer && { email: request.customer.email, attributes: request.customer.attributes },
        idempotency_key: idempotencyKey,
        request_hash,
        created_at: now,
        updated_at: now,
      });
      await manager.update(
        Workspace,
        { id: workspace_id },
        { usage_period: usage.period_start, sessions_used: usage.sessions_used + 1 },
      );
      return answer(id, workspace, version);
    });
  }
}

function lockWorkspace(manager: EntityManager, id: string): Promise<Workspace> {
  return manager.findOneOrFail(Workspace, { where: { id }, lock: { mode: 'for_no_key_update' } });
}

function hashOf(request: InitSessionDto): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest();
}

function answer(session_id: string, workspace: Workspace, version: FlowVersion): StartedSessionDto {
  const { primary_color, logo_url } = workspace;
  const { entry, nodes } = version.definition;
  const { key, type, config } = nodes.find((node) => node.key === entry)!;
  return {
    session_id,
    flow: { name: version.name, branding: { primary_color, logo_url }, entry_node: { key, type, config } },
  };
}
