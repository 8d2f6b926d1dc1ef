import { randomUUID } from 'node:crypto';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawRequestDefaultExpression,
} from 'fastify';
import { AppModule } from './app.module';
import { addHooks, BODY_LIMIT } from './hooks';
import { Problem } from '../platform/api/problems/problem';
import { trustNetworks } from '../platform/http/client-address';
import { FrameworkLog, loggerOptions, type LogStream, RequestLog } from '../platform/http/log/request-log';
import { beginResponse } from '../platform/http/server/begin-response';
import { handleClientError } from '../platform/http/server/connections';
import { sendProblem } from '../platform/http/server/problem.filter';
import { Config } from '../settings/config';
import { serveDocs } from './openapi/docs';
import { servePages } from './web/pages';
import { serveWidget } from './web/widget';
import { WEB_FOLDER } from '../web-folder';

/** The longest part of a path: an id of any length is 404, not an error of the router. */
const MAX_PARAMETER = 16 * 1024;

/** The service, ready to listen. */
export async function createApp(config: Config, log?: LogStream): Promise<NestFastifyApplication> {
  const adapter = createAdapter(config, log);
  if (config.isTraced) {
    // Loaded only here, because most installations don't use it. Modules may send something as soon as they are made.
    const { startTracing } = await import('./tracing.ts');
    const fastify = adapter.getInstance<FastifyInstance>();
    fastify.addHook('onClose', startTracing(fastify));
  }
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with(config), adapter, optionsOf(adapter));
  return open(app, config);
}

/** How Nest makes an application on an adapter. */
export function optionsOf(adapter: FastifyAdapter): NestApplicationOptions {
  return {
    bodyParser: false,
    abortOnError: false,
    logger: new FrameworkLog(adapter.getInstance<FastifyInstance>().log),
  };
}

/** Lets an application take requests: the hooks first, since some see only the routes that are added behind them. */
export async function open(app: NestFastifyApplication, config: Config): Promise<NestFastifyApplication> {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  addHooks(app, config);
  serveDocs(app, WEB_FOLDER);
  serveWidget(fastify, WEB_FOLDER);
  servePages(fastify, WEB_FOLDER, config);
  await app.init();
  await fastify.ready();
  return app;
}

/** Fastify, as the service uses it. */
export function createAdapter(config: Config, log?: LogStream): FastifyAdapter {
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
    routerOptions: { maxParamLength: MAX_PARAMETER },
    // The router reports a path that it can't decode before any hook has run.
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      beginResponse(request, reply, () => sendProblem(new Problem('not_found'), request, reply)),
    clientErrorHandler: handleClientError,
  });
}

/** The Request-Id that a proxy set, so that its log and ours can be matched, or a new one. */
function requestIdOf({ headers }: RawRequestDefaultExpression): string {
  const { 'request-id': given } = headers;
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : randomUUID();
}
