import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import type { IdempotentRequest } from '../../api/idempotent-request';
import { Problem } from '../../api/problems/problem';
import { decrypt, encrypt, type KeySecrets, secretsOf } from './answer-encryption';
import { type IdempotencyKey, KEYS_LAST } from './idempotency-key.entity';
import { Pipeline, type Send } from './pipeline.service';
import { NOW } from '../time';

/**
 * The workspace of the operator and of people who sign in: they act in none. Idempotency keys of the operator are
 * stored with it.
 */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

const IS_KEPT = `EXCLUDED.created_at - kept.created_at < interval '${KEYS_LAST}'`;

/**
 * $1: a workspace. $2: a key's hash. $3: the hash of its request. Returns what is kept of the key; without an answer,
 * the key is new, or so old that it counts as new. Waits for another transaction that has claimed the key.
 */
const CLAIM = `
  INSERT INTO idempotency_keys AS kept (workspace_id, hash, request_hash, created_at) VALUES ($1, $2, $3, ${NOW})
  ON CONFLICT (workspace_id, hash) DO UPDATE SET
    request_hash = CASE WHEN ${IS_KEPT} THEN kept.request_hash ELSE EXCLUDED.request_hash END,
    answer = CASE WHEN ${IS_KEPT} THEN kept.answer END,
    created_at = CASE WHEN ${IS_KEPT} THEN kept.created_at ELSE EXCLUDED.created_at END
  RETURNING request_hash, answer`;

const KEEP = 'UPDATE idempotency_keys SET answer = $3 WHERE workspace_id = $1 AND hash = $2';

/**
 * Creates things once, however often a request is sent with its Idempotency-Key. What is created, the key and the
 * answer are written in one transaction, so an error leaves none of them.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly pipeline: Pipeline) {}

  /**
   * Does the work of a transaction; for a request that was answered before, returns that answer instead. The key is
   * locked ahead of anything that `work` locks, so two of these never wait for each other.
   *
   * @param request undefined if it came without a key
   * @param work returns the answer: plain JSON
   */
  async once<T>(
    send: Send,
    workspaceId: string,
    request: IdempotentRequest | undefined,
    work: () => T | Promise<T>,
  ): Promise<T> {
    if (!request) return work();
    const { key, request_hash } = request;
    const secrets = secretsOf(workspaceId, key);
    const values = [workspaceId, secrets.hash, request_hash];
    const claimed = await send<Pick<IdempotencyKey, 'request_hash' | 'answer'>>({
      name: 'idempotency-claim',
      text: CLAIM,
      values,
    });
    const [kept] = claimed.rows;
    if (!kept.request_hash.equals(request_hash)) throw new Problem('idempotency_key_reused');
    if (kept.answer) return JSON.parse(decrypt(kept.answer, secrets)) as T;
    const answer = await work();
    await send(keep(workspaceId, secrets, answer));
    return answer;
  }

  /** Replaces the answer of a request by one with what is known only after the commit. */
  async amend(workspaceId: string, request: IdempotentRequest | undefined, answer: object): Promise<void> {
    if (request) await this.pipeline.send(keep(workspaceId, secretsOf(workspaceId, request.key), answer));
  }
}

function keep(workspaceId: string, secrets: KeySecrets, answer: unknown): QueryConfig {
  const values = [workspaceId, secrets.hash, encrypt(JSON.stringify(answer), secrets)];
  return { name: 'idempotency-keep', text: KEEP, values };
}
