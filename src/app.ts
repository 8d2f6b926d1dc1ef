import { randomUUID } from 'node:crypto';
import { ConsoleLogger, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppModule } from './app.module';
import { answerBrokenRequest } from './common/broken-request';
import { parseJsonBody } from './common/json-body';
import { sendProblem } from './common/problem.filter';
import { Config } from './config';
import { serveDocs } from './openapi';
import { allowAllOrigins, RUNTIME_PREFIX } from './runtime/cors';

const KIB = 1024;
const RUNTIME_BODY_LIMIT = 16 * KIB;
const BODY_LIMIT = 256 * KIB;

/** The service, ready to listen; production and tests make it here. */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const app = await createHttpApp(AppModule.with(config), config);
  serveDocs(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

/** HTTP as the service speaks it, around any module. */
export async function createHttpApp(module: DynamicModule, config: Config): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    logger: { level: config.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: () => randomUUID(),
    // Slow clients are let go: headers within 4 s, the whole request within 5.
    requestTimeout: 5000,
    http: { headersTimeout: 4000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    // The router refuses before any hook has run.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(error, request, identify(request, reply)),
    clientErrorHandler: answerBrokenRequest,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  acceptOnlyJson(fastify);
  fastify.addHook('onRoute', (route) => {
    if (route.url.startsWith(RUNTIME_PREFIX)) route.bodyLimit = RUNTIME_BODY_LIMIT;
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    done();
  });

  fastify.addHook('onRequest', allowAllOrigins);

  return NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new ConsoleLogger({ json: true, logLevels: ['fatal', 'error', 'warn'] }),
  });
}

function identify(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('request-id', request.id);
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
