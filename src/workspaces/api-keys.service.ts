import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, IsNull, LessThan, Raw, Repository } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { CompiledQueries } from '../database/compiled-queries.service';
import { ConnectionPool } from '../database/connection-pool';
import { GroupCommit } from '../database/group-commit';
import { Idempotency } from '../database/idempotency.service';
import { NOW, now, readTime } from '../database/time';
import { ApiKey, type ApiKeyAccess, isRecent } from './api-key.entity';
import { createKey, storedForm } from './api-key-secret';

export interface NewApiKey {
  name: string;
  access?: ApiKeyAccess;
  /** RFC 3339; undefined: never. */
  expires_at?: string;
}

/** What a request needs to know of its key. */
const USED = ['hash', 'workspace_id', 'id', 'access', 'used_recently'] as const;

export type UsableKey = Pick<ApiKey, (typeof USED)[number]>;

/** Two queries at a time: while one is under way, the look-ups for the next one gather. */
const LOOK_UPS = { lanes: 2, lanesOfKey: 2, keys: 1, membersOfKey: 500, members: 500, aloneLanes: 0, waitMs: 3000 };

export interface IssuedApiKey {
  id: string;
  name: string;
  /** The secret, which can't be read again. */
  key: string;
}

/** The keys of workspaces: issued, found by their secret, listed, revoked. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);

  private readonly lookUps: GroupCommit<Buffer, UsableKey | undefined>;

  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly idempotency: Idempotency,
    queries: CompiledQueries,
    connections: ConnectionPool,
  ) {
    const readUsable = queries.select<UsableKey>(
      apiKeys
        .createQueryBuilder('key')
        .select(USED.map((column) => `key.${column}`))
        .where('key.hash = ANY (:hashes) AND key.revoked_at IS NULL')
        .andWhere(`(key.expires_at > ${NOW}) IS NOT FALSE`),
      'api-keys',
    );
    this.lookUps = new GroupCommit(LOOK_UPS, {
      together: async ([hashes]) => {
        const keys = new Map((await readUsable({ hashes })).map((key) => [key.hash.toString('hex'), key]));
        for (const key of keys.values()) if (!key.used_recently) this.noteUse(key);
        return [hashes.map((hash) => keys.get(hash.toString('hex')))];
      },
    });
    connections.addQueue(() => this.lookUps.queueLength);
  }

  /**
   * The key with a hash, if it may be used now. It is read each time, so that a revoked key is refused at once. Look-ups
   * that wait at the same time are one query, which begins after they were all asked for.
   */
  findUsable(hash: Buffer): Promise<UsableKey | undefined> {
    return this.lookUps.submit('', hash);
  }

  create(workspaceId: string, key: NewApiKey, idempotent?: IdempotentRequest): Promise<IssuedApiKey> {
    const issue = (manager?: EntityManager) => this.issue(workspaceId, key, manager);
    return idempotent ? this.idempotency.run(workspaceId, idempotent, issue) : issue();
  }

  /** A new key, as a part of other work if that has a manager. */
  async issue(
    workspaceId: string,
    { name, access = 'write', expires_at }: NewApiKey,
    manager = this.apiKeys.manager,
  ): Promise<IssuedApiKey> {
    const expiry = expires_at ? new Date(expires_at) : null;
    if (expiry && expiry <= (await readTime(manager))) {
      throw Problem.invalid([{ pointer: '/expires_at', message: 'must be in the future' }]);
    }
    const key = createKey();
    const id = newId();
    await manager.insert(ApiKey, {
      workspace_id: workspaceId,
      id,
      name,
      access,
      ...storedForm(key),
      created_at: now,
      expires_at: expiry,
    });
    return { id, name, key };
  }

  /** Including revoked and expired keys. */
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKey>> {
    return readPage(page, (before, take) =>
      this.apiKeys.find({
        where: { workspace_id: workspaceId, id: LessThan(before) },
        order: { id: 'DESC' },
        take,
      }),
    );
  }

  /** Revokes a key for good. A key that was revoked before stays as it is. */
  async revoke(workspaceId: string, id: string): Promise<void> {
    const { affected } = await this.apiKeys.update(
      { workspace_id: workspaceId, id, revoked_at: IsNull() },
      { revoked_at: now },
    );
    if (!affected && !(await this.apiKeys.existsBy({ workspace_id: workspaceId, id }))) {
      throw new Problem('not_found');
    }
  }

  /** Stores the time of use. The request doesn't wait for it. */
  private noteUse({ workspace_id, id }: UsableKey): void {
    const isStale = Raw((last_used_at) => `NOT (${isRecent(last_used_at)})`);
    this.apiKeys
      .update({ workspace_id, id, last_used_at: isStale }, { last_used_at: now })
      .catch((error: unknown) => this.logger.warn(`last_used_at of API key ${id} was not written: ${String(error)}`));
  }
}
