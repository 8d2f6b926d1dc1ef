import { once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../api/problems/problem';
import { AddRouteConfig } from '../route-config';

/** Runs work for a workspace when it is its turn. */
interface Turns {
  run(workspaceId: string, work: () => Promise<unknown>): Promise<unknown>;
}

/** Lets a route take a larger body than others. */
export const LargeBody = (most: { values: number; bytes?: number }) => AddRouteConfig({ largeBody: most });

/**
 * Lets routes take the bodies that they declare. What is larger than others may be waits for its turn before it is
 * read.
 */
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

/** How long a request waits for its turn, and the longest that a turn lasts: a client may send slowly, or break off. */
const WAIT_MS = 3000;
const TURN_MS = 10_000;

/**
 * Resolves when it is a request's turn, which lasts until it has its response. Rejects with a 503 if it doesn't come in
 * time.
 */
function untilTurn({ workspaceId = '' }: FastifyRequest, { raw }: FastifyReply, turns: Turns): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      reject(new Problem('service_unavailable'));
    }, WAIT_MS);
    const work = async () => {
      clearTimeout(timer);
      if (late.signal.aborted || raw.closed || raw.destroyed) return;
      resolve();
      await once(raw, 'close', { signal: AbortSignal.timeout(TURN_MS) }).catch(() => undefined);
    };
    turns.run(workspaceId, work).catch(reject);
  });
}
