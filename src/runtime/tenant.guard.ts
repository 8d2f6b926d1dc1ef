import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { codeIn, isSessionId } from '../common/ids';
import { Problem } from '../common/problem';
import { FlowLookup } from '../flows/flow-lookup.service';
import { WorkspaceCodes } from '../workspaces/workspace-codes.service';
import { MAX_SLUG } from './start/start.dto';
import { StartResults } from './start/start-results';

/**
 * Finds the workspace that a request of the runtime interface is about: by the slug that a start names, or by the code in
 * a session_id. Requests with an API key get theirs from `Authentication`.
 */
@Injectable()
export class TenantGuard implements CanActivate {
  constructor(
    private readonly flows: FlowLookup,
    private readonly codes: WorkspaceCodes,
    private readonly results: StartResults,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { id } = request.params as { id?: string };
    request.workspaceId = id === undefined ? await this.bySlug(request.body) : await this.bySessionId(id);
    return true;
  }

  /** Undefined for an unknown slug. The start reports it after validation, so that a malformed body is 400 first. */
  private async bySlug(body: unknown): Promise<string | undefined> {
    const { flow_slug } = (body ?? {}) as { flow_slug?: unknown };
    if (typeof flow_slug !== 'string' || flow_slug.length > MAX_SLUG) return undefined;
    try {
      return (await this.flows.slug(flow_slug))?.workspace_id;
    } catch (error) {
      this.results.countFailure(error);
      throw error;
    }
  }

  private async bySessionId(id: string): Promise<string> {
    const workspaceId = isSessionId(id) ? await this.codes.workspaceOf(codeIn(id.toLowerCase())) : undefined;
    if (workspaceId === undefined) throw new Problem('session_not_found');
    return workspaceId;
  }
}
