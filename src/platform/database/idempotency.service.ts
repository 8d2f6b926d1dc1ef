import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { IdempotentRequest } from '../api/idempotent-request';
import { Problem } from '../api/problem';
import { decrypt, encrypt, type KeySecrets, secretsOf } from './answer-encryption';
import { IdempotencyKey, KEYS_LAST } from './idempotency-key.entity';
import { NOW } from './time';
import { Transactions } from './transactions';

/** The workspace of the operator and of people who sign in: they act in none. Idempotency keys of the operator are stored with it. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

const IS_KEPT = `EXCLUDED.created_at - kept.created_at < interval '${KEYS_LAST}'`;

/**
 * $1: a workspace. $2: a key's hash. $3: the hash of its request. Returns what is kept of the key; without an answer, the key
 * is new, or so old that it counts as new. Waits for another transaction that has claimed the key.
 */
const CLAIM = `
  INSERT INTO idempotency_keys AS kept (workspace_id, hash, request_hash, created_at) VALUES ($1, $2, $3, ${NOW})
  ON CONFLICT (workspace_id, hash) DO UPDATE SET
    request_hash = CASE WHEN ${IS_KEPT} THEN kept.request_hash ELSE EXCLUDED.request_hash END,
    answer = CASE WHEN ${IS_KEPT} THEN kept.answer END,
    created_at = CASE WHEN ${IS_KEPT} THEN kept.created_at ELSE EXCLUDED.created_at END
  RETURNING request_hash, answer`;

/**
 * Creates things once, however often a request is sent with its Idempotency-Key. What is created, the key and the answer are
 * written in one transaction, so an error leaves none of them.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Runs `work` in a transaction; for a request that was answered before, returns that answer instead. The key is
   * locked ahead of anything that `work` locks, so two of these never wait for each other.
   *
   * @param request undefined if it came without a key
   * @param work returns the answer: plain JSON
   */
  run<T>(
    workspaceId: string,
    request: IdempotentRequest | undefined,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const once = request ? (manager: EntityManager) => runOnce(workspaceId, request, work, manager) : work;
    return this.transactions.run(once);
  }

  /** Replaces the answer of a request by one with what is known only after the commit. */
  async amend(workspaceId: string, request: IdempotentRequest | undefined, answer: object): Promise<void> {
    if (!request) return;
    const secrets = secretsOf(workspaceId, request.key);
    await this.transactions.run((manager) => keep(workspaceId, secrets, answer, manager));
  }
}

async function runOnce<T>(
  workspaceId: string,
  { key, request_hash }: IdempotentRequest,
  work: (manager: EntityManager) => Promise<T>,
  manager: EntityManager,
): Promise<T> {
  const secrets = secretsOf(workspaceId, key);
  const [kept] = await manager.query<Pick<IdempotencyKey, 'request_hash' | 'answer'>[]>(CLAIM, [
    workspaceId,
    secrets.hash,
    request_hash,
  ]);
  if (!kept.request_hash.equals(request_hash)) throw new Problem('idempotency_key_reused');
  if (kept.answer) return JSON.parse(decrypt(kept.answer, secrets)) as T;
  const answer = await work(manager);
  await keep(workspaceId, secrets, answer, manager);
  return answer;
}

async function keep(workspaceId: string, secrets: KeySecrets, answer: unknown, manager: EntityManager): Promise<void> {
  await manager.update(
    IdempotencyKey,
    { workspace_id: workspaceId, hash: secrets.hash },
    { answer: encrypt(JSON.stringify(answer), secrets) },
  );
}
