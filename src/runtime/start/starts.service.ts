import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { isPlainObject } from '../../common/fields';
import { newSessionId } from '../../common/ids';
import { Metrics } from '../../common/metrics';
import { Problem, type ProblemCode } from '../../common/problem';
import { problemOfPostgres } from '../../database/postgres-errors';
import { FlowLookup } from '../../flows/flow-lookup.service';
import { WorkspaceCodes } from '../../workspaces/workspace-codes.service';
import type { Admitted } from './admission-rules';
import { AdmissionService } from './admission.service';
import type { InitSessionDto } from './start.dto';
import type { StartHeaders } from './start-headers';

/** Results that a start is expected to have. A counter that exists from the beginning has a rate from its first event. */
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
    private readonly codes: WorkspaceCodes,
    private readonly flows: FlowLookup,
    private readonly admission: AdmissionService,
    metrics: Metrics,
  ) {
    this.results = metrics.counter('session_starts_total', 'Starts of sessions, by result', ['result']);
    for (const result of RESULTS) this.results.inc({ result }, 0);
  }

  /**
   * Starts a session on the current version of a published flow and counts it, both or neither.
   *
   * @param workspaceId the workspace that the slug belongs to; undefined when no flow has it
   */
  async start(workspaceId: string | undefined, request: InitSessionDto, headers: StartHeaders): Promise<Admitted> {
    let result: Result = 'internal_error';
    try {
      if (workspaceId === undefined) throw new Problem('flow_not_found');
      const session_id = newSessionId(await this.codes.codeOf(workspaceId));
      const admitted = await this.admit(workspaceId, session_id, request, headers);
      result = admitted.session_id === session_id ? 'started' : 'repeated';
      return admitted;
    } catch (error) {
      const problem = error instanceof Problem ? error : problemOfPostgres(error);
      if (problem) result = problem.code;
      throw error;
    } finally {
      this.results.inc({ result });
    }
  }

  private async admit(
    workspaceId: string,
    session_id: string,
    request: InitSessionDto,
    { origin, idempotencyKey }: StartHeaders,
  ): Promise<Admitted> {
    const { flow_id } = (await this.flows.slug(request.flow_slug))!;
    return this.admission.admit(workspaceId, {
      session_id,
      flow_id,
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
