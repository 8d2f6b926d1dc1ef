import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics';

/** One label for all requests without a route: their paths and methods are unbounded. */
const UNMATCHED = 'unmatched';
/**
 * Up to 10 s, the longest that a request waits for the service; statistics may take longer. After 3 s the widget
 * follows its link.
 */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3, 10, 30];

/** Times requests by route pattern, and counts errors by their exact status. */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  const errors = metrics.counter('http_errors_total', 'HTTP responses of 400 and above', ['method', 'route', 'status']);
  const seconds = metrics.histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its response',
    SECONDS,
    ['method', 'route', 'status_class'],
  );
  fastify.addHook('onResponse', (request, { statusCode: status, elapsedTime }, done) => {
    const labels = labelsOf(request);
    if (status >= 400) errors.inc({ ...labels, status });
    seconds.observe({ ...labels, status_class: `${Math.floor(status / 100)}xx` }, elapsedTime / 1000);
    done();
  });
  // A client that does not wait for the end has no response. Left out, the slowest requests would be missing.
  // Connections are fewer than requests, so they have the listeners.
  fastify.server.on('connection', (socket: Socket) =>
    socket.on('close', () => {
      const reply = fastify.unanswered.get(socket)?.reply;
      if (reply) seconds.observe({ ...labelsOf(reply.request), status_class: 'aborted' }, reply.elapsedTime / 1000);
    }),
  );
}

function labelsOf({ is404, method, routeOptions }: FastifyRequest) {
  return is404 ? { method: UNMATCHED, route: UNMATCHED } : { method, route: routeOptions.url };
}
