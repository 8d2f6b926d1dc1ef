import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../common/problem';
import { Config } from '../config';
import { addressOf } from '../http/client-address';
import { createRateLimiter, type RateLimiter } from '../http/rate-limits';
import type { ApiKey } from './api-key.entity';
import { hashOf, isKey } from './api-key-secret';
import { ApiKeysService } from './api-keys.service';

/** Failed authentications of one address that are answered; further ones are 429. */
const FAILURES_PER_MINUTE = 20;
/** Keys that were good in this process lately. They are looked up all the same: a revoked one is refused. */
const KEYS_REMEMBERED = 10_000;
/** Look-ups for addresses that failed too often: one at a time, 10 ms apart, and at most 100 that wait. */
const SUSPECT_INTERVAL_MS = 10;
const MAX_SUSPECTS = 100;

/**
 * Finds out whose key a request carries, before anything of its body is read, and counts the request against the limit of
 * that key. A request with a key that isn't known to be good counts against the limit of its address.
 *
 * An address over that limit may share it with honest clients, so it isn't shut out: keys that were good lately pass, and
 * others are looked up slowly.
 */
@Injectable()
export class Authentication implements OnModuleInit {
  private readonly fastify: FastifyInstance;
  private readonly limitKey: RateLimiter;
  private readonly limitFailures: RateLimiter;
  private readonly goodKeys = new LRUCache<string, true>({ max: KEYS_REMEMBERED });
  private suspects = 0;
  private lastSuspect: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly config: Config,
    { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
  ) {
    this.fastify = httpAdapter.getInstance<FastifyInstance>();
    const perMinute = config.managementRequestsPerMinute;
    this.limitKey = createRateLimiter(this.fastify, {
      name: 'management',
      perMinute,
      clientOf: ({ apiKeyId }) => apiKeyId ?? 'operator',
    });
    this.limitFailures = createRateLimiter(this.fastify, {
      name: 'authentication',
      perMinute: perMinute && FAILURES_PER_MINUTE,
      clientOf: addressOf,
    });
  }

  onModuleInit(): void {
    // Not async for requests without a key: a start would pay for a promise.
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
      refusal = await this.limitKey(request, reply);
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
    const name = hashOf(token).toString('base64');
    // Counted before the look-up: of thousands at once, each would find the limit untouched.
    const refusal = this.goodKeys.has(name) ? undefined : await this.limitFailures(request, reply);
    const key = await (refusal ? this.lookUpInTurn(token, refusal) : this.apiKeys.findUsable(token));
    if (!key) {
      this.goodKeys.delete(name);
      throw refusal ?? new Problem('invalid_token');
    }
    this.goodKeys.set(name, true);
    request.grant = key.access;
    request.apiKeyId = key.id;
    request.workspaceId = key.workspace_id;
  }

  /** Counts a failed authentication, and answers what to throw. */
  private async failure(token: string | undefined, request: FastifyRequest, reply: FastifyReply): Promise<Problem> {
    return (await this.limitFailures(request, reply)) ?? new Problem(token ? 'invalid_token' : 'unauthorized');
  }

  private lookUpInTurn(token: string, refusal: Problem): Promise<ApiKey | undefined> {
    if (this.suspects >= MAX_SUSPECTS) throw refusal;
    this.suspects++;
    const found = this.lastSuspect
      .then(() => pause(SUSPECT_INTERVAL_MS))
      .then(() => this.apiKeys.findUsable(token))
      .finally(() => this.suspects--);
    this.lastSuspect = found.catch(() => undefined);
    return found;
  }
}

/** The token of `Authorization: Bearer …` (RFC 6750), if there is one. */
function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization ?? '')?.[1];
}
