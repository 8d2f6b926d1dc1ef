import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { codeIn, isSessionId } from '../sessions/session-ids';
import { Problem } from '../platform/api/problems/problem';
import { WorkspaceCodes } from '../workspaces/counters/workspace-codes.service';
import { MAX_SLUG } from './start/start.dto';
import { StartsService } from './start/starts.service';

/**
 * Finds the workspace that a request of the runtime interface is about: by the slug that a start names, or by the code
 * in a session_id. Requests with an API key get theirs from `Authentication`.
 */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(
    private readonly starts: StartsService,
    private readonly codes: WorkspaceCodes,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { id } = request.params as { id?: string };
    if (id === undefined) await this.bySlug(request);
    else request.workspaceId = await this.bySessionId(id);
    return true;
  }

  /** Sets nothing for an unknown slug. The start reports it after validation, so that a malformed body is 400 first. */
  private async bySlug(request: FastifyRequest): Promise<void> {
    const { flow_slug } = (request.body ?? {}) as { flow_slug?: unknown };
    if (typeof flow_slug !== 'string' || flow_slug.length > MAX_SLUG) return;
    request.flow = await this.starts.flowOf(flow_slug);
    request.workspaceId = request.flow?.workspace_id;
  }

  private async bySessionId(id: string): Promise<string> {
    const workspaceId = isSessionId(id) ? await this.codes.workspaceOf(codeIn(id.toLowerCase())) : undefined;
    if (workspaceId === undefined) throw new Problem('session_not_found');
    return workspaceId;
  }
}
