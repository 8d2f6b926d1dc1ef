import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnown } from '../files/served-file';
import { etagOf, type IfMatch } from '../../api/etag';
import { Problem } from '../../api/problems/problem';
import { AddRouteConfig } from '../route-config';

/** Where a route says that its response has an ETag. */
export const ETAG_EXTENSION = 'x-etag';

/**
 * Lets the responses of a route have the ETag of what they show (RFC 9110, 8.8.3).
 *
 * @param moves whether fields of it change although nobody changes it, such as usage and health: the ETag is not of
 *   these, so a read always answers them
 */
export const WithETag = ({ moves = false } = {}) =>
  applyDecorators(AddRouteConfig({ hasETag: true, moves }), ApiExtension(ETAG_EXTENSION, moves ? 'moves' : 'whole'));

/** A change whose answer has the new `ETag` of what was changed: see `Work.shows`. */
export const WithNewETag = () =>
  applyDecorators(AddRouteConfig({ tellsETag: true }), ApiExtension(ETAG_EXTENSION, 'whole'));

export function sendETags(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!route.config?.hasETag) return;
    route.preSerialization = addETag;
    if (route.method === 'GET' && !route.config.moves) route.onSend = leaveOutKnown;
  });
}

function addETag(_: FastifyRequest, reply: FastifyReply, shown: unknown, done: (error: null, shown: unknown) => void) {
  if (reply.statusCode === 200) reply.header('etag', etagOf(shown as object));
  done(null, shown);
}

/** Answers 304, without a body, to a client that has this version already (RFC 9110, 13.1.2). */
function leaveOutKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) {
  const etag = reply.getHeader('etag');
  if (reply.statusCode !== 200 || typeof etag !== 'string' || !isKnown(etag, request)) return done(null, payload);
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  done(null, null);
}

const MAX_LENGTH = 1000;
/** A proxy that compresses a response makes its ETag a weak one. It distinguishes the same versions. */
const FORM = /^(\*|(W\/)?"[!#-~]*"( *, *(W\/)?"[!#-~]*")*)$/;

/** The ETags of the header `If-Match`, on a route that takes it; undefined without it. */
export function ifMatchOf({ headers, routeOptions }: FastifyRequest): IfMatch | undefined {
  const value = headers['if-match'];
  if (!routeOptions.config.takesIfMatch || value === undefined) return undefined;
  if (value.length > MAX_LENGTH || !FORM.test(value)) {
    const message = `must be an ETag like "3q2-7wAbcDEfghijklMNop", a list of them, or *, of at most ${MAX_LENGTH} characters`;
    throw Problem.ofHeader('If-Match', message);
  }
  return value === '*' ? '*' : value.match(/"[^"]*"/g)!;
}

/** A route whose change may depend on the `ETag` of what it changes. */
export const WithIfMatch = (what: string) =>
  applyDecorators(
    AddRouteConfig({ takesIfMatch: true }),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: `The \`ETag\` of ${what} as you read it. If it was changed meanwhile, the response is 412 and nothing changes.`,
      schema: { type: 'string', maxLength: MAX_LENGTH, pattern: FORM.source.replaceAll(String.raw`\/`, '/') },
    }),
  );
