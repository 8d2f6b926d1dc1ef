import { once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AddRouteConfig } from './route-config';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route takes that takes more than others. Without `bytes` it takes as many as they do. */
    largeBody?: { values: number; bytes?: number };
  }
}

/** Runs work for a workspace when it is its turn. */
interface Turns {
  run(workspaceId: string, work: () => Promise<unknown>): Promise<unknown>;
}

/** Lets a route take a larger body than others. */
export const LargeBody = (most: { values: number; bytes?: number }) => AddRouteConfig({ largeBody: most });

/** Lets routes take the bodies that they declare. What is larger than others may be waits for its turn before it is read. */
export function takeLargeBodies(fastify: FastifyInstance, turns: Turns, ordinaryBytes: number): void {
  fastify.addHook('onRoute', (route) => {
    const { bytes } = route.config?.largeBody ?? {};
    if (bytes === undefined) return;
    route.bodyLimit = bytes;
    route.preParsing = async (request, reply) => {
      if (!(Number(request.headers['content-length']) <= ordinaryBytes)) await untilTurn(request, reply, turns);
    };
  });
}

/** Resolves when it is a request's turn, which lasts until it has its response. */
function untilTurn({ workspaceId = '' }: FastifyRequest, { raw }: FastifyReply, turns: Turns): Promise<void> {
  return new Promise((resolve, reject) => {
    const work = async () => {
      resolve();
      if (!raw.closed && !raw.destroyed) await once(raw, 'close');
    };
    turns.run(workspaceId, work).catch(reject);
  });
}
