import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../common/metrics';
import { Problem, type ProblemCode } from '../../common/problem';
import { problemOfPostgres } from '../../database/postgres-errors';

type Result = 'started' | 'repeated' | ProblemCode;

/** Results that a start is expected to have. A counter that exists from the beginning has a rate from its first event. */
const RESULTS: Result[] = [
  'started',
  'repeated',
  'session_limit_reached',
  'flow_not_found',
  'flow_not_published',
  'origin_not_allowed',
  'invalid_customer_token',
  'idempotency_key_reused',
  'service_unavailable',
];

/** Counts what became of starts. */
@Injectable()
export class StartResults {
  private readonly counter: Counter<'result'>;

  constructor(metrics: Metrics) {
    this.counter = metrics.counter('session_starts_total', 'Starts of sessions, by result', ['result']);
    for (const result of RESULTS) this.counter.inc({ result }, 0);
  }

  count(result: Result): void {
    this.counter.inc({ result });
  }

  /** Counts a failed start by the code of its problem. */
  countFailure(error: unknown): void {
    const problem = error instanceof Problem ? error : problemOfPostgres(error);
    this.count(problem?.code ?? 'internal_error');
  }
}
