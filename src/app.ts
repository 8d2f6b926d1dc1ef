import { randomUUID } from 'node:crypto';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawRequestDefaultExpression,
} from 'fastify';
import { AppModule } from './app.module';
import { jsonPointer, Problem } from './common/problem';
import { Config } from './config';
import { handleClientError, trackResponse } from './http/client-errors';
import { enforceDeadline } from './http/deadline';
import { clientAddress, trustNetworks, warnOfUntrustedProxy } from './http/client-address';
import { allowAllOrigins, addRuntimeFallback } from './http/cors';
import { isReserved, parseJsonBody } from './http/json-body';
import { limitPipelining } from './http/pipelining';
import { sendProblem } from './http/problem.filter';
import { createRateLimiter, rateLimitHook, registerRateLimits } from './http/rate-limits';
import { FrameworkLog, loggerOptions, type LogStream, RequestLog } from './http/request-log';
import { setSecurityHeaders } from './http/security-headers';
import { assignSurfaces } from './http/surface';
import { hasLargeUnreadBody } from './http/unread-body';
import { serveDocs } from './docs';

const KIB = 1024;
const RUNTIME_BODY_LIMIT = 16 * KIB;
const BODY_LIMIT = 256 * KIB;
/** Of these methods no body is read. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The service, ready to listen; production and tests make it here. */
export async function createApp(config: Config, log?: LogStream): Promise<NestFastifyApplication> {
  const app = await createHttpApp(AppModule.with(config), config, log);
  serveDocs(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

/** HTTP as the service speaks it, around any module. */
export async function createHttpApp(
  module: DynamicModule,
  config: Config,
  log?: LogStream,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    logger: loggerOptions(config.logLevel, log),
    logController: new RequestLog(),
    bodyLimit: BODY_LIMIT,
    genReqId: requestIdOf,
    trustProxy: config.trustProxy.length > 0 && trustNetworks(config.trustProxy),
    // Slow clients are let go: headers within 4 s, the whole request within 5.
    requestTimeout: 5000,
    // And those who don't read what they are answered.
    connectionTimeout: 30_000,
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    // The router takes a leading * for /*, and Nest answers it before any hook has run. As a path it names nothing.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('*') ? `/${url}` : url),
    // What still comes in on an open connection is answered, in the one shape, and the connection closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // There is no middleware, so no request has to look for it.
    skipMiddie: true,
    // Any id may be asked for, however long.
    routerOptions: { maxParamLength: 16 * KIB },
    // What the router cannot decode names nothing. It says so before any hook has run.
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      beginAnswer(request, reply, () => sendProblem(new Problem('not_found'), request, reply)),
    clientErrorHandler: handleClientError,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  acceptOnlyJson(fastify);
  fastify.addHook('onRequest', enforceDeadline);
  assignSurfaces(fastify);
  fastify.addHook('onRoute', (route) => {
    if (route.config?.surface === 'runtime') route.bodyLimit = RUNTIME_BODY_LIMIT;
  });
  fastify.addHook('onRequest', beginAnswer);
  fastify.addHook('onRequest', refuseUnrouted);
  fastify.addHook('onRequest', warnOfUntrustedProxy());
  await limitRuntime(fastify, config);
  addRuntimeFallback(fastify);
  fastify.addHook('preHandler', refuseReservedParameters);
  limitPipelining(fastify.server);
  fastify.server.on('request', trackResponse);
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node's own 417 would have another shape.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));

  return NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new FrameworkLog(fastify.log),
  });
}

/** The id that a proxy in front gave a request, so that its log and ours can be read together, or a new one. */
function requestIdOf({ headers }: RawRequestDefaultExpression): string {
  const { 'request-id': given } = headers;
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Before anything is read of a request. */
async function limitRuntime(fastify: FastifyInstance, { runtimeRequestsPerMinute: perMinute }: Config): Promise<void> {
  await registerRateLimits(fastify);
  const limit = rateLimitHook(createRateLimiter(fastify, { name: 'runtime', perMinute, clientOf: clientAddress }));
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.surface === 'runtime') await limit(request, reply);
  });
}

/** What every answer has, errors included. */
function beginAnswer(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.header('request-id', request.id);
  setSecurityHeaders(request, reply);
  if (WITHOUT_BODY.has(request.method) && hasLargeUnreadBody(request)) reply.header('connection', 'close');
  // RFC 9112, 3.2. Node's own 400 would have another shape.
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    reply.header('connection', 'close');
    done(new Problem('invalid_request'));
  } else {
    allowAllOrigins(request, reply, done);
  }
}

/** There is nothing to do with the body of a request that nothing answers, so it isn't read. */
function refuseUnrouted(request: FastifyRequest, _: FastifyReply, done: (error?: Error) => void): void {
  done(request.surface === 'none' ? new Problem('not_found') : undefined);
}

/** A parameter that validation would not see is unknown, too. */
function refuseReservedParameters(request: FastifyRequest, _: FastifyReply, done: (error?: Error) => void): void {
  const reserved = Object.keys(request.query as object).find(isReserved);
  if (reserved === undefined) done();
  else done(Problem.invalid([{ pointer: jsonPointer(reserved), message: 'is not a known field' }]));
}

/** JSON is the only body there is: a form post needs no preflight, so any page could send one. */
function acceptOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
