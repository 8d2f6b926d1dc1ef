import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawRequestDefaultExpression,
} from 'fastify';
import { AppModule } from './app.module';
import { Metrics } from '../platform/metrics/metrics';
import { Problem } from '../platform/api/problems/problem';
import { Config } from '../settings/config';
import { handleClientError, limitPipelining } from '../platform/http/server/connections';
import { enforceDeadline } from '../platform/http/server/deadline';
import { clientAddress, trustNetworks, warnOfIgnoredHeader } from '../platform/http/client-address';
import { ConcurrencyLimit } from '../platform/database/queue/concurrency-limit';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { allowAllOrigins } from '../platform/http/server/cors';
import { sendLocations } from '../platform/http/server/created-at';
import { isLarge, parseJsonBody, parseLargeJsonBody } from '../platform/http/bodies/json-body';
import { takeLargeBodies } from '../platform/http/bodies/large-body';
import { sendETags } from '../platform/http/server/etag-headers';
import { hasLargeUnreadBody, sendProblem } from '../platform/http/server/problem.filter';
import { createRateLimiter, rateLimitHook } from '../platform/http/limits/rate-limits';
import { FrameworkLog, loggerOptions, type LogStream, RequestLog } from '../platform/http/log/request-log';
import { shareCounts } from '../platform/http/limits/shared-counter';
import { refuseUnstorable } from '../platform/http/bodies/storable-input';
import { separateOperation } from '../platform/http/server/operation-port';
import { setSecurityHeaders } from '../platform/http/server/security-headers';
import { assignSurfaces, isForStrangers, isShed, STRANGERS } from '../platform/http/surface';
import { limitUnread } from '../platform/http/limits/unread-responses';
import { refuseUnrouted } from '../platform/http/server/unrouted';
import { ExitPages } from '../exit/page/exit-pages';
import { IMAGE_TYPES } from '../images/image-limits';
import { serveImages } from '../images/serve-images';
import { ServedImages } from '../images/served-images';
import { takeFiles } from '../platform/http/bodies/file-body';
import { serveExit } from '../exit/page/serve-exit';
import { serveDocs } from './openapi/docs';
import { servePages } from './web/pages';
import { serveWidget } from './web/widget';
import { WEB_FOLDER } from '../web-folder';

const KIB = 1024;
const STRANGERS_BODY_LIMIT = 16 * KIB;
const BODY_LIMIT = 256 * KIB;
/** How many larger bodies are taken at a time: one of a workspace. */
const LARGE_BODIES = 2;
/** Methods whose bodies are not read. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The service, ready to listen, for production and tests alike. */
export async function createApp(config: Config, log?: LogStream): Promise<NestFastifyApplication> {
  const adapter = createAdapter(config, log);
  const fastify = adapter.getInstance<FastifyInstance>();
  if (config.redisUrl) await shareCounts(fastify, config.redisUrl);
  if (config.isTraced) {
    // Loaded only here, because most installations don't use it.
    const { startTracing } = await import('./tracing.ts');
    fastify.addHook('onClose', startTracing(fastify));
  }
  addHooks(fastify, config);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new FrameworkLog(fastify.log),
  });
  const connections = app.get(ConnectionPool);
  const { sharedCounter } = fastify;
  if (sharedCounter) {
    const help = '1 while Redis counts requests for all processes, else 0';
    app.get(Metrics).gauge('redis_up', help, () => +sharedCounter.isUp);
  }
  // Without it, under too much load, every request would wait until it times out.
  fastify.addHook('onRequest', (request, _, done) => {
    const isRefused = isShed(request) && connections.isOverloadedFor(request.surface);
    done(isRefused ? new Problem('service_unavailable') : undefined);
  });
  serveDocs(app, WEB_FOLDER);
  serveWidget(fastify, WEB_FOLDER);
  servePages(fastify, WEB_FOLDER, config);
  serveExit(fastify, app.get(ExitPages));
  serveImages(fastify, app.get(ServedImages));
  await app.init();
  await fastify.ready();
  return app;
}

function createAdapter(config: Config, log?: LogStream): FastifyAdapter {
  return new FastifyAdapter({
    logger: loggerOptions(config.logLevel, log),
    logController: new RequestLog(),
    bodyLimit: BODY_LIMIT,
    genReqId: requestIdOf,
    trustProxy: config.trustProxy.length > 0 && trustNetworks(config.trustProxy),
    // Slow clients are disconnected: headers take at most 4 s, the whole request at most 5.
    requestTimeout: 5000,
    // So are clients that don't read their responses.
    connectionTimeout: 30_000,
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000, requireHostHeader: false },
    // Nest responds to a leading * before any hook has run. As a path it is an ordinary 404.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('*') ? `/${url}` : url),
    // While the service stops, requests on open connections still get their responses, and then the connection is
    // closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // There is no middleware.
    skipMiddie: true,
    // An id of any length is 404, not an error of the router.
    routerOptions: { maxParamLength: 16 * KIB },
    // The router reports a path that it can't decode before any hook has run.
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      beginResponse(request, reply, () => sendProblem(new Problem('not_found'), request, reply)),
    clientErrorHandler: handleClientError,
  });
}

function addHooks(fastify: FastifyInstance, config: Config): void {
  acceptOnlyJson(fastify);
  limitPipelining(fastify);
  enforceDeadline(fastify);
  assignSurfaces(fastify);
  sendLocations(fastify);
  sendETags(fastify);
  takeLargeBodies(fastify, new ConcurrencyLimit(LARGE_BODIES), BODY_LIMIT);
  fastify.addHook('onRoute', (route) => {
    const surface = route.config?.surface;
    // Events of billing systems have whole invoices in them.
    if (isForStrangers(surface) && surface !== 'billing') route.bodyLimit = STRANGERS_BODY_LIMIT;
  });
  fastify.addHook('onRequest', beginResponse);
  refuseUnrouted(fastify);
  if (config.operationPort) separateOperation(fastify, config.operationPort);
  fastify.addHook('onRequest', warnOfIgnoredHeader(config.trustProxy));
  limitStrangers(fastify, config);
  limitUnread(fastify);
  refuseUnstorable(fastify);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node's own 417 would not be a problem of RFC 9457.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
}

/** The Request-Id that a proxy set, so that its log and ours can be matched, or a new one. */
function requestIdOf({ headers }: RawRequestDefaultExpression): string {
  const { 'request-id': given } = headers;
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Limits what anybody may call by address, before the body is read. */
function limitStrangers(fastify: FastifyInstance, { runtimeRequestsPerMinute }: Config): void {
  const hooks = new Map<string, ReturnType<typeof rateLimitHook>>();
  for (const { limit: name, times } of Object.values(STRANGERS)) {
    if (hooks.has(name)) continue;
    const perMinute = runtimeRequestsPerMinute * times;
    hooks.set(name, rateLimitHook(createRateLimiter(fastify, { name, perMinute, clientOf: clientAddress })));
  }
  fastify.addHook('onRequest', async (request, reply) => {
    if (isForStrangers(request.surface)) await hooks.get(STRANGERS[request.surface].limit)!(request, reply);
  });
}

/** Sets what every response has, errors included. */
function beginResponse(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.header('request-id', request.id);
  setSecurityHeaders(request, reply);
  if (WITHOUT_BODY.has(request.method) && hasLargeUnreadBody(request)) reply.header('connection', 'close');
  // RFC 9112, 3.2. Node's own 400 would not be a problem of RFC 9457.
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    reply.header('connection', 'close');
    done(new Problem('invalid_request'));
  } else {
    allowAllOrigins(request, reply, done);
  }
}

/**
 * Accepts only JSON, and pictures where they are uploaded. A form post needs no preflight (Fetch standard), so any page
 * could send one.
 */
function acceptOnlyJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  takeFiles(fastify, IMAGE_TYPES);
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    const { values } = request.routeOptions.config.largeBody ?? {};
    // A signature is of the bytes.
    if (request.surface === 'billing') return done(null, bytes);
    if (isLarge(bytes)) return parseLargeJsonBody(bytes, values);
    try {
      done(null, parseJsonBody(bytes, values));
    } catch (error) {
      done(error as Error);
    }
  });
}
