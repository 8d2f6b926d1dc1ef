import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { isPlainObject } from '../common/fields';
import { newSessionId } from '../common/ids';
import { Metrics } from '../common/metrics';
import { Problem, type ProblemCode } from '../common/problem';
import { nodeOf } from '../flows/flow-definition';
import { FlowLookup } from '../flows/flow-lookup.service';
import { toProblem } from '../http/problem.filter';
import type { Caller } from '../http/request-log';
import type { Admitted } from './admission-rules';
import { AdmissionService } from './admission.service';
import { InitSessionDto, StartedSessionDto } from './dto/init-session.dto';
import type { StartHeaders } from './start-headers';

/** What can come of a start, besides what no code foresees. */
const RESULTS: Result[] = [
  'started',
  'repeated',
  'session_limit_reached',
  'flow_not_found',
  'flow_not_published',
  'origin_not_allowed',
  'idempotency_key_reused',
  'service_unavailable',
];
type Result = 'started' | 'repeated' | ProblemCode;

/** Starts sessions: from a slug to the first node. */
@Injectable()
export class StartsService {
  private readonly results: Counter<'result'>;

  constructor(
    private readonly flows: FlowLookup,
    private readonly admission: AdmissionService,
    metrics: Metrics,
  ) {
    this.results = metrics.counter('session_starts_total', 'What came of the starts of sessions', ['result']);
    // A rate can be told from the first of each.
    for (const result of RESULTS) this.results.inc({ result }, 0);
  }

  /** Starts a session on the current version of a published flow and counts it, both or neither. */
  async start(request: InitSessionDto, headers: StartHeaders, caller: Caller): Promise<StartedSessionDto> {
    const session_id = newSessionId();
    try {
      const admitted = await this.admit(session_id, request, headers, caller);
      this.count(admitted.session_id === session_id ? 'started' : 'repeated');
      return answer(admitted);
    } catch (error) {
      this.count(toProblem(error).code);
      throw error;
    }
  }

  private async admit(
    session_id: string,
    request: InitSessionDto,
    { origin, idempotencyKey }: StartHeaders,
    caller: Caller,
  ): Promise<Admitted> {
    const slug = await this.flows.slug(request.flow_slug);
    if (!slug) throw new Problem('flow_not_found');
    caller.workspaceId = slug.workspace_id;
    return this.admission.admit(slug.workspace_id, {
      session_id,
      flow_id: slug.flow_id,
      customer: request.customer,
      origin,
      idempotency: idempotencyKey ? { key: idempotencyKey, request_hash: hashOf(request) } : undefined,
    });
  }

  private count(result: Result): void {
    this.results.inc({ result });
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
