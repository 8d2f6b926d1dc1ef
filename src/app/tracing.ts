import http from 'node:http';
import https from 'node:https';
import { Logger } from '@nestjs/common';
import { context } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, getRPCMetadata } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { version } from '../../package.json';

/** How long spans are tried to be sent. The end of the process waits for that. */
const SEND_MS = 2000;
const MODULES: Record<string, object> = { http, https, pg };

/** Attributes that would identify people: paths contain ids of sessions and customers. `http.route` stays. */
const UNSAID = {
  'url.path': undefined,
  'url.query': undefined,
  'client.address': undefined,
  'network.peer.address': undefined,
  'network.peer.port': undefined,
  'user_agent.original': undefined,
};

/** Says in the log when spans can't be sent, and when they can again: the packages say nothing. */
class Exporter extends OTLPTraceExporter {
  private readonly logger = new Logger('Tracing');
  private isFailing = false;

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      const hasFailed = result.code !== ExportResultCode.SUCCESS;
      if (hasFailed && !this.isFailing)
        this.logger.warn(
          `Spans can't be sent to OTEL_EXPORTER_OTLP_ENDPOINT, and are dropped: ${result.error?.message}`,
        );
      if (!hasFailed && this.isFailing) this.logger.log('Spans are sent again');
      this.isFailing = hasFailed;
      done(result);
    });
  }
}

/**
 * Sends spans of requests, of statements and of what is asked of others to OTEL_EXPORTER_OTLP_ENDPOINT, as
 * OpenTelemetry's other variables say. If nobody takes them, they are dropped. Returns what stops it. Only this file
 * knows the packages: it is loaded only then.
 */
export function startTracing(fastify: FastifyInstance): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'retention-flow', 'service.version': version });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new Exporter({ timeoutMillis: SEND_MS }))],
  });
  provider.register();
  const instrumentations = [
    new HttpInstrumentation({
      startIncomingSpanHook: () => UNSAID,
      startOutgoingSpanHook: ({ protocol, hostname, host }) => ({ 'url.full': `${protocol}//${hostname ?? host}` }),
    }),
    new PgInstrumentation({ requireParentSpan: true }),
  ];
  for (const instrumentation of instrumentations) {
    instrumentation.setTracerProvider(provider);
    // By hand: in one file, with its packages, the service requires no module that could be replaced.
    for (const { name, patch } of instrumentation.getModuleDefinitions()) if (MODULES[name]) patch?.(MODULES[name]);
  }
  // Spans are named by their routes.
  fastify.addHook('onRequest', ({ routeOptions: { url } }, _, done) => {
    const metadata = getRPCMetadata(context.active());
    if (metadata && url !== undefined) metadata.route = url;
    done();
  });
  return () => provider.shutdown().catch(() => undefined);
}
