import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isPlainObject } from '../common/fields';
import { newSessionId } from '../common/ids';
import { Problem } from '../common/problem';
import type { Caller } from '../common/request-log';
import { nodeOf } from '../flows/flow-definition';
import { FlowLookup } from '../flows/flow-lookup.service';
import type { Admitted } from './admission-rules';
import { AdmissionService } from './admission.service';
import { InitSessionDto, StartedSessionDto } from './dto/init-session.dto';
import type { StartHeaders } from './start-headers';

/** Starts sessions: from a slug to the first node. */
@Injectable()
export class StartsService {
  constructor(
    private readonly flows: FlowLookup,
    private readonly admission: AdmissionService,
  ) {}

  /** Starts a session on the current version of a published flow and counts it, both or neither. */
  async start(
    request: InitSessionDto,
    { origin, idempotencyKey }: StartHeaders,
    caller: Caller,
  ): Promise<StartedSessionDto> {
    const slug = await this.flows.slug(request.flow_slug);
    if (!slug) throw new Problem('flow_not_found');
    caller.workspaceId = slug.workspace_id;
    const admitted = await this.admission.admit(slug.workspace_id, {
      session_id: newSessionId(),
      flow_id: slug.flow_id,
      customer: request.customer,
      origin,
      idempotency: idempotencyKey ? { key: idempotencyKey, request_hash: hashOf(request) } : undefined,
    });
    return answer(admitted);
  }
}

function hashOf(request: InitSessionDto): Buffer {
  return createHash('sha256').update(JSON.stringify(request, inOrder)).digest();
}

/** For JSON.stringify: requests that differ only in the order of their keys are the same. */
function inOrder(_: string, value: unknown): unknown {
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

function answer({ session_id, version, workspace: { primary_color, logo_url } }: Admitted): StartedSessionDto {
  const { key, type, config } = nodeOf(version.definition, version.definition.entry);
  return {
    session_id,
    flow: { name: version.name, branding: { primary_color, logo_url }, entry_node: { key, type, config } },
  };
}
