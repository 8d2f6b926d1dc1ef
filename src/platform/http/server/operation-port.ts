import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../api/problems/problem';
import type { Surface } from '../surface';

/** Surfaces that only operators need: health, metrics, and the routes for the ADMIN_API_KEY. */
const OF_OPERATION = new Set<Surface>(['probe', 'operator']);

/** Gives operators a port of their own: what is theirs is found only there, and nothing else is. */
export function separateOperation(fastify: FastifyInstance, operationPort: number): void {
  // Node's HTTP server takes connections of other listeners, with all that it does for its own.
  const options = { allowHalfOpen: true, noDelay: true };
  const listener = createServer(options, (socket) => fastify.server.emit('connection', socket));
  fastify.addHook('onRequest', ({ raw, surface }, _, done) => {
    const isAtPort = raw.socket.localPort === operationPort;
    done(isAtPort === OF_OPERATION.has(surface) ? undefined : new Problem('not_found'));
  });
  fastify.addHook('onClose', (_, done) => {
    if (listener.listening) listener.close(() => done());
    else done();
  });
  fastify.decorate('operation', listener);
}

/** Resolves when a server takes connections. */
export async function listenAt(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}
