import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { IMAGE_TYPES } from '../images/image-limits';
import { writeJson } from '../platform/api/paging/written-items';
import { ConnectionPool } from '../platform/database/connection/connection-pool';
import { ConcurrencyLimit } from '../platform/database/queue/concurrency-limit';
import { ManagementLimits } from '../platform/database/queue/management-limits.service';
import { acceptOnlyJson } from '../platform/http/bodies/accepted-types';
import { takeLargeBodies } from '../platform/http/bodies/large-body';
import { refuseUnstorable } from '../platform/http/bodies/storable-input';
import { warnOfIgnoredHeaders } from '../platform/http/client-address';
import { shedLoad } from '../platform/http/limits/load-shedding';
import { RateLimits } from '../platform/http/limits/rate-limits';
import { limitBodiesOfStrangers, limitStrangers } from '../platform/http/limits/strangers';
import { limitUnread } from '../platform/http/limits/unread-responses';
import { beginResponses } from '../platform/http/server/begin-response';
import { limitPipelining } from '../platform/http/server/connections';
import { sendLocations } from '../platform/http/server/created-at';
import { enforceDeadline } from '../platform/http/server/deadline';
import { sendETags } from '../platform/http/server/etag-headers';
import { separateOperation } from '../platform/http/server/operation-port';
import { refuseUnrouted } from '../platform/http/server/unrouted';
import { assignSurfaces } from '../platform/http/surface';
import { Metrics } from '../platform/metrics/metrics';
import { measureRequests } from '../platform/metrics/request-metrics';
import { Config } from '../settings/config';
import { limitManagement } from '../tenancy/access/management-turns';
import { authenticateCallers, Authentication } from '../workspaces/authentication';
import { DrainService } from './operation/drain.service';

/** The most bytes of a body, unless its route declares another limit. */
export const BODY_LIMIT = 256 * 1024;
/** How many larger bodies are taken at a time: one of a workspace. */
const LARGE_BODIES = 2;

/**
 * The way of every request and its response, before and behind its route. Hooks of one kind run in this order, and
 * behind them those that a single route has: authentication, the turns of large bodies, Location and ETag. Then come
 * the guards of Nest, the validation of the body, and the controller. Tracing has one hook before all.
 */
export function addHooks(app: NestFastifyApplication, config: Config): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const connections = app.get(ConnectionPool);

  // What is known of a request by its connection and its route.
  limitPipelining(fastify);
  enforceDeadline(fastify);
  assignSurfaces(fastify);
  beginResponses(fastify);

  // Which bodies a route takes.
  acceptOnlyJson(fastify, IMAGE_TYPES);
  takeLargeBodies(fastify, new ConcurrencyLimit(LARGE_BODIES), BODY_LIMIT);
  limitBodiesOfStrangers(fastify);

  // Who is refused before the body is read.
  refuseUnrouted(fastify);
  if (config.operationPort) separateOperation(fastify, config.operationPort);
  warnOfIgnoredHeaders(fastify, config.trustProxy);
  limitStrangers(fastify, app.get(RateLimits), config.runtimeRequestsPerMinute);
  shedLoad(fastify, (surface) => connections.isOverloadedFor(surface));
  authenticateCallers(fastify, app.get(Authentication));
  limitUnread(fastify);

  // What is refused of a body that was read.
  refuseUnstorable(fastify);

  // How much is done at a time.
  limitManagement(fastify, app.get(ManagementLimits));

  // What is done with the response.
  fastify.setReplySerializer(writeJson);
  sendLocations(fastify);
  sendETags(fastify);
  app.get(DrainService).holdResponses(fastify);
  measureRequests(fastify, app.get(Metrics));
}
