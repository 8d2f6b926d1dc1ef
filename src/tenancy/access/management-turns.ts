import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { AddRouteConfig } from '../../platform/http/route-config';
import { NO_WORKSPACE } from '../work/tenant';

/** A longer page takes a turn: it may have more than 250 kB. */
const SHORT_PAGE = 100;
/** Methods that change nothing. */
export const READING = new Set(['GET', 'HEAD']);

/** A route whose service takes its slots itself, for the whole or for parts: see `ManagementLimits`. */
export const LongWork = () => AddRouteConfig({ slots: 'own' });

/** A read of more than a page, or of one that may have more than 250 kB: a few of a workspace run at a time. */
export const InTurn = () => AddRouteConfig({ slots: 'long' });

/**
 * Limits what a workspace does at a time on the management interface: changes, the validation of their bodies included;
 * long reads; and all others. The guards of Nest come behind it: a request waits for its turn to be refused, too.
 */
export function limitManagement(fastify: FastifyInstance, { long, reads, short }: ManagementLimits): void {
  fastify.addHook('onRoute', (route) => {
    const { surface, slots } = route.config!;
    if (slots === 'own' || (surface !== 'management' && surface !== 'operator')) return;
    const isRead = [route.method].flat().every((method) => READING.has(method));
    const limitOf = (request: FastifyRequest) => {
      if (!isRead) return short;
      return slots === 'long' || isLongPage(request) ? long : reads;
    };
    const { handler } = route;
    route.handler = function (request, reply) {
      return limitOf(request).run(request.workspaceId ?? NO_WORKSPACE, async () => handler.call(this, request, reply));
    };
  });
}

function isLongPage({ query }: FastifyRequest): boolean {
  return Number((query as { limit?: string }).limit) > SHORT_PAGE;
}
