import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Metrics } from '../common/metrics';

/** One label for all requests without a route: their paths and methods are unbounded. */
const UNMATCHED = 'unmatched';

/** Counts requests by route pattern. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const requests = this.metrics.counter('http_requests_total', 'HTTP responses sent', ['method', 'route', 'status']);
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
