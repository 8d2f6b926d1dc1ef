import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { clientAddress } from '../http/client-address';
import { createRateLimiter, type RateLimiter } from '../http/rate-limits';
import { hashOf, isKey } from './api-key-secret';
import { ApiKeysService, type UsableKey } from './api-keys.service';

/** Failed authentications a minute from one address. Further ones are 429. */
const FAILURES_PER_MINUTE = 20;
/** Keys that were recently valid in this process. They are still looked up each time, so a revoked one is refused. */
const KEYS_REMEMBERED = 10_000;
/** Look-ups for addresses that failed too often: one at a time, 10 ms apart, and at most 100 that wait. */
const SUSPECT_INTERVAL_MS = 10;
const MAX_SUSPECTS = 100;

/**
 * Finds the workspace of a request's key before the body is read, and counts the request against the key's rate limit. A
 * request without a valid key counts against the limit of its address.
 *
 * Honest clients may share an address that is over the limit, so it isn't shut out: recently valid keys pass, and others are
 * looked up slowly.
 */
@Injectable()
export class Authentication implements OnModuleInit {
  private readonly fastify: FastifyInstance;
  private readonly keyLimit: RateLimiter;
  private readonly failureLimit: RateLimiter;
  private readonly validKeys = new LRUCache<string, true>({ max: KEYS_REMEMBERED });
  /** Look-ups under way of keys that aren't known to be valid, by address. */
  private readonly underWay = new Map<string, number>();
  private suspects = 0;
  private lastSuspect: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly config: Config,
    { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
  ) {
    this.fastify = httpAdapter.getInstance<FastifyInstance>();
    const perMinute = config.managementRequestsPerMinute;
    this.keyLimit = createRateLimiter(this.fastify, {
      name: 'management',
      perMinute,
      clientOf: ({ apiKeyId }) => apiKeyId ?? 'operator',
    });
    this.failureLimit = createRateLimiter(this.fastify, {
      name: 'authentication',
      perMinute: perMinute && FAILURES_PER_MINUTE,
      clientOf: clientAddress,
    });
  }

  onModuleInit(): void {
    // A callback instead of async: otherwise every start of a session would pay for a promise.
    this.fastify.addHook('onRequest', (request, reply, done) => {
      if (request.surface === 'management' || request.surface === 'operator') {
        void this.authenticate(request, reply, done);
      } else {
        done();
      }
    });
  }

  private async authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): Promise<void> {
    let refusal: Error | undefined;
    try {
      if (request.surface === 'operator') await this.admitOperator(request, reply);
      else await this.admitWorkspace(request, reply);
      refusal = await this.keyLimit.count(request, reply);
    } catch (error) {
      refusal = error as Error;
    }
    done(refusal);
  }

  private async admitOperator(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { adminApiKey } = this.config;
    if (!adminApiKey) throw new Problem('not_found');
    const token = bearerToken(request);
    if (!token || !timingSafeEqual(hashOf(token), hashOf(adminApiKey))) throw await this.failure(token, request, reply);
    request.grant = 'operator';
  }

  private async admitWorkspace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = bearerToken(request);
    if (!token || !isKey(token)) throw await this.failure(token, request, reply);
    const key = await this.lookUp(token, request);
    if (!key) throw await this.failure(token, request, reply);
    request.grant = key.access;
    request.apiKeyId = key.id;
    request.workspaceId = key.workspace_id;
  }

  /** Counts a failed authentication, and returns the problem to throw. */
  private async failure(token: string | undefined, request: FastifyRequest, reply: FastifyReply): Promise<Problem> {
    return (await this.failureLimit.count(request, reply)) ?? new Problem(token ? 'invalid_token' : 'unauthorized');
  }

  private async lookUp(token: string, request: FastifyRequest): Promise<UsableKey | undefined> {
    const hash = hashOf(token);
    const name = hash.toString('base64');
    const isKnown = () => this.validKeys.has(name);
    const key = isKnown() ? await this.apiKeys.findUsable(hash) : await this.lookUpUnknown(hash, request, isKnown);
    if (key) this.validKeys.set(name, true);
    else this.validKeys.delete(name);
    return key;
  }

  /** A look-up counts as a failure until it is done, because of thousands at once none has failed yet. */
  private async lookUpUnknown(
    hash: Buffer,
    request: FastifyRequest,
    isKnown: () => boolean,
  ): Promise<UsableKey | undefined> {
    const address = clientAddress(request);
    const left = await this.failureLimit.remaining(request);
    const underWay = this.underWay.get(address) ?? 0;
    if (underWay >= left) return this.lookUpInTurn(hash, isKnown);
    this.underWay.set(address, underWay + 1);
    try {
      return await this.apiKeys.findUsable(hash);
    } finally {
      const others = this.underWay.get(address)! - 1;
      if (others > 0) this.underWay.set(address, others);
      else this.underWay.delete(address);
    }
  }

  private lookUpInTurn(hash: Buffer, isKnown: () => boolean): Promise<UsableKey | undefined> {
    if (this.suspects >= MAX_SUSPECTS) throw new Problem('too_many_requests').after(1);
    this.suspects++;
    const found = this.lastSuspect
      // Another look-up of the same key may have succeeded meanwhile.
      .then(() => (isKnown() ? undefined : pause(SUSPECT_INTERVAL_MS)))
      .then(() => this.apiKeys.findUsable(hash))
      .finally(() => this.suspects--);
    this.lastSuspect = found.catch(() => undefined);
    return found;
  }
}

/** The token of `Authorization: Bearer …` (RFC 6750), if there is one. */
function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '')?.[1];
}
