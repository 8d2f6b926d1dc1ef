import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isPlainObject } from '../../common/fields';
import { newSessionId } from '../../common/ids';
import { Problem } from '../../common/problem';
import { FlowLookup } from '../../flows/flow-lookup.service';
import { WorkspaceCodes } from '../../workspaces/workspace-codes.service';
import type { Admitted } from './admission-rules';
import { AdmissionService } from './admission.service';
import type { InitSessionDto } from './start.dto';
import type { StartHeaders } from './start-headers';
import { StartResults } from './start-results';

/** Starts sessions: from a slug to the first node. */
@Injectable()
export class StartsService {
  constructor(
    private readonly codes: WorkspaceCodes,
    private readonly flows: FlowLookup,
    private readonly admission: AdmissionService,
    private readonly results: StartResults,
  ) {}

  /**
   * Starts a session on the current version of a published flow and counts it, both or neither.
   *
   * @param workspaceId the workspace that the slug belongs to; undefined when no flow has it
   */
  async start(workspaceId: string | undefined, request: InitSessionDto, headers: StartHeaders): Promise<Admitted> {
    try {
      if (workspaceId === undefined) throw new Problem('flow_not_found');
      const session_id = newSessionId(await this.codes.codeOf(workspaceId));
      const admitted = await this.admit(workspaceId, session_id, request, headers);
      this.results.count(admitted.session_id === session_id ? 'started' : 'repeated');
      return admitted;
    } catch (error) {
      this.results.countFailure(error);
      throw error;
    }
  }

  private async admit(
    workspaceId: string,
    session_id: string,
    request: InitSessionDto,
    { origin, idempotencyKey }: StartHeaders,
  ): Promise<Admitted> {
    const flow = await this.flows.slug(request.flow_slug);
    if (!flow) throw new Problem('flow_not_found');
    return this.admission.admit({
      workspace_id: workspaceId,
      session_id,
      flow_id: flow.flow_id,
      customer: request.customer,
      origin,
      idempotency: idempotencyKey ? { key: idempotencyKey, request_hash: hashOf(request) } : undefined,
    });
  }
}

function hashOf(request: InitSessionDto): Buffer {
  return createHash('sha256').update(JSON.stringify(request, withSortedKeys)).digest();
}

/** A replacer for JSON.stringify: requests that differ only in the order of their keys are the same. */
function withSortedKeys(_: string, value: unknown): unknown {
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
