import { Injectable } from '@nestjs/common';
import type { IdempotentRequest } from '../../api/idempotent-request';
import { Problem } from '../../api/problems/problem';
import { decrypt, encrypt, type KeySecrets, secretsOf } from './answer-encryption';
import { type IdempotencyKey, KEYS_LAST } from './idempotency-key.entity';
import { Pipeline, type Send } from './pipeline.service';
import { bound, prepared } from './statement';
import { NOW } from '../time';

const IS_KEPT = `EXCLUDED.created_at - kept.created_at < interval '${KEYS_LAST}'`;

/**
 * Returns what is kept of a key, by its hash and the hash of its request; without an answer, the key is new, or so old
 * that it counts as new. Waits for another transaction that has claimed the key.
 */
const CLAIM = prepared(
  'idempotency-claim',
  `INSERT INTO idempotency_keys AS kept (workspace_id, hash, request_hash, created_at)
  VALUES (:workspace, :hash, :request_hash, ${NOW})
  ON CONFLICT (workspace_id, hash) DO UPDATE SET
    request_hash = CASE WHEN ${IS_KEPT} THEN kept.request_hash ELSE EXCLUDED.request_hash END,
    answer = CASE WHEN ${IS_KEPT} THEN kept.answer END,
    created_at = CASE WHEN ${IS_KEPT} THEN kept.created_at ELSE EXCLUDED.created_at END
  RETURNING request_hash, answer`,
);

const KEEP = prepared(
  'idempotency-keep',
  'UPDATE idempotency_keys SET answer = :answer WHERE workspace_id = :workspace AND hash = :hash',
);

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
    const claim = bound(CLAIM, workspaceId, { hash: secrets.hash, request_hash });
    const claimed = await send<Pick<IdempotencyKey, 'request_hash' | 'answer'>>(claim);
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

function keep(workspaceId: string, secrets: KeySecrets, answer: unknown) {
  return bound(KEEP, workspaceId, { hash: secrets.hash, answer: encrypt(JSON.stringify(answer), secrets) });
}
