import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../platform/api/problems/problem';
import { Tally } from '../platform/common/tally';
import { Config } from '../settings/config';
import { clientAddress } from '../platform/http/client-address';
import { isFromOwnPage } from '../platform/http/files/own-page';
import { type RateLimiter, RateLimits } from '../platform/http/limits/rate-limits';
import { THE_OPERATOR } from '../tenancy/access/actor';
import { READING } from '../tenancy/access/management-turns';
import { SignIns } from '../tenancy/access/sign-ins';
import { hashOf, isKey } from './api-keys/api-key-secret';
import { ApiKeysService } from './api-keys/api-keys.service';

/** A workspace may send this many times the requests of one key. */
const KEYS_AT_ONCE = 2;
/**
 * Keys and sessions that were recently valid in this process. They are still looked up each time, so a revoked one is
 * refused.
 */
const REMEMBERED = 10_000;
/** Look-ups for addresses that failed too often: one at a time, 10 ms apart, and at most 100 that wait. */
const SUSPECT_INTERVAL_MS = 10;
const MAX_SUSPECTS = 100;

/**
 * Finds who asks, by the key or the session's cookie, and for which workspace, before the body is read. Counts the
 * request against the limits of the actor and of the workspace. A request without a valid key or cookie counts against
 * the limit of its address.
 *
 * Honest clients may share an address that is over the limit, so it isn't shut out: what was recently valid passes, and
 * the rest is looked up slowly.
 */
@Injectable()
export class Authentication {
  private readonly actorLimit: RateLimiter;
  private readonly workspaceLimit: RateLimiter;
  private readonly failureLimit: RateLimiter;
  private readonly valid = new LRUCache<string, true>({ max: REMEMBERED });
  /** Look-ups under way of what isn't known to be valid, by address. */
  private readonly underWay = new Tally();
  private suspects = 0;
  private lastSuspect: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly config: Config,
    limits: RateLimits,
    @Optional() private readonly signIns?: SignIns,
  ) {
    const { managementRequestsPerMinute: perMinute, failedAuthenticationsPerMinute } = config;
    this.actorLimit = limits.limiting({
      name: 'management',
      perMinute,
      clientOf: ({ actor }) => actor?.id ?? 'operator',
    });
    this.workspaceLimit = limits.limiting({
      name: 'workspace',
      perMinute: perMinute * KEYS_AT_ONCE,
      // A person of several workspaces may name none of them.
      clientOf: ({ workspaceId, actor }) => workspaceId ?? actor?.id ?? 'operator',
    });
    this.failureLimit = limits.limiting({
      name: 'authentication',
      perMinute: failedAuthenticationsPerMinute,
      clientOf: clientAddress,
    });
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.surface === 'operator') await this.admitOperator(request, reply);
    else if (request.headers.authorization === undefined) await this.admitPerson(request, reply);
    else await this.admitKey(request, reply);
    // A request that the actor's limit refuses does not count against the workspace's.
    const refusal = (await this.actorLimit.count(request, reply)) ?? (await this.workspaceLimit.count(request, reply));
    if (refusal) throw refusal;
  }

  private async admitOperator(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { adminApiKey } = this.config;
    if (!adminApiKey) throw new Problem('not_found');
    const token = bearerToken(request);
    if (!token || !timingSafeEqual(hashOf(token), hashOf(adminApiKey))) throw await this.failure(token, request, reply);
    request.actor = THE_OPERATOR;
  }

  private async admitKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = bearerToken(request);
    if (!token || !isKey(token)) throw await this.failure(token, request, reply);
    const key = await this.lookUp(token, request, (hash) => this.apiKeys.findUsable(hash));
    if (!key) throw await this.failure(token, request, reply);
    request.role = key.access === 'read' ? 'viewer' : 'owner';
    request.apiKeyId = key.id;
    request.actor = { type: 'api_key', id: key.id, name: key.name };
    request.workspaceId = key.workspace_id;
  }

  /** A page of another site may let a browser send the cookie, so a change has to come from a page of ours. */
  private async admitPerson(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = this.signIns?.tokenIn(request);
    if (!token) throw await this.failure(token, request, reply);
    const person = await this.lookUp(token, request, (hash) => this.signIns!.find(hash));
    if (!person) throw await this.failure(token, request, reply);
    if (!READING.has(request.method) && !isFromOwnPage(request)) throw new Problem('cross_site');
    const { 'workspace-id': named, 'person-id': expected } = request.headers;
    // A page that shows one person's workspace must not write as another, who has signed in in another tab.
    if (expected !== undefined && expected !== person.id) throw new Problem('another_person');
    const { memberships } = person;
    const membership =
      named === undefined && memberships.length === 1
        ? memberships[0]
        : memberships.find(({ workspace_id }) => workspace_id === named);
    request.person = person;
    request.actor = { type: 'person', id: person.id, name: person.name };
    request.workspaceId = membership?.workspace_id;
    request.role = membership?.role;
  }

  /** Counts a failed authentication, and returns the problem to throw. */
  private async failure(token: string | undefined, request: FastifyRequest, reply: FastifyReply): Promise<Problem> {
    return (await this.failureLimit.count(request, reply)) ?? new Problem(token ? 'invalid_token' : 'unauthorized');
  }

  private async lookUp<T>(token: string, request: FastifyRequest, find: Find<T>): Promise<T | undefined> {
    const hash = hashOf(token);
    const name = hash.toString('base64');
    const isKnown = () => this.valid.has(name);
    const found = isKnown() ? await find(hash) : await this.lookUpUnknown(() => find(hash), request, isKnown);
    if (found) this.valid.set(name, true);
    else this.valid.delete(name);
    return found;
  }

  /** A look-up counts as a failure until it is done, so that thousands at once can't all pass. */
  private async lookUpUnknown<T>(
    find: () => Promise<T | undefined>,
    request: FastifyRequest,
    isKnown: () => boolean,
  ): Promise<T | undefined> {
    const address = clientAddress(request);
    const left = await this.failureLimit.remaining(request);
    if (this.underWay.of(address) >= left) return this.lookUpInTurn(find, isKnown);
    this.underWay.add(address, 1);
    try {
      return await find();
    } finally {
      this.underWay.add(address, -1);
    }
  }

  private lookUpInTurn<T>(find: () => Promise<T | undefined>, isKnown: () => boolean): Promise<T | undefined> {
    if (this.suspects >= MAX_SUSPECTS) throw new Problem('too_many_requests').after(1);
    this.suspects++;
    const found = this.lastSuspect
      // Another look-up of the same key may have succeeded meanwhile.
      .then(() => (isKnown() ? undefined : pause(SUSPECT_INTERVAL_MS)))
      .then(find)
      .finally(() => this.suspects--);
    this.lastSuspect = found.catch(() => undefined);
    return found;
  }
}

/** Lets `Authentication` find who calls a route of a workspace or of the operator, before its body is read. */
export function authenticateCallers(fastify: FastifyInstance, authentication: Authentication): void {
  fastify.addHook('onRoute', (route) => {
    const { surface } = route.config!;
    if (surface !== 'management' && surface !== 'operator') return;
    route.onRequest = (request, reply) => authentication.admit(request, reply);
  });
}

/** Looks up a key or a session by its hash. */
type Find<T> = (hash: Buffer) => Promise<T | undefined>;

/** The token of `Authorization: Bearer …` (RFC 6750), if there is one. */
function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '')?.[1];
}
