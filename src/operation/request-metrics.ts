import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Metrics } from '../common/metrics';

/** What matches no route counts as one, whatever its path and method are. */
const UNMATCHED = 'unmatched';

/** Counts requests by the pattern of their route. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const requests = this.metrics.counter('http_requests_total', 'Requests that were answered', [
      'method',
      'route',
      'status',
    ]);
    this.adapterHost.httpAdapter.getInstance<FastifyInstance>().addHook('onResponse', (request, reply, done) => {
      const isMatched = !request.is404;
      requests.inc({
        method: isMatched ? request.method : UNMATCHED,
        route: isMatched ? request.routeOptions.url : UNMATCHED,
        status: reply.statusCode,
      });
      done();
    });
  }
}
