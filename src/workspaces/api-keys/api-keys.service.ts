import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, Repository } from 'typeorm';
import { newId } from '../../platform/api/ids';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import { requireRoom } from '../../platform/api/room';
import { Batcher } from '../../platform/database/queue/batcher';
import { ConnectionPool } from '../../platform/database/connection/connection-pool';
import { prepared } from '../../platform/database/transaction/statement';
import { NOW, now, readTime } from '../../platform/database/time';
import { ManagementLimits } from '../../platform/database/queue/management-limits.service';
import { ApiKey, MAX_API_KEYS } from './api-key.entity';
import { createKey, storedForm } from './api-key-secret';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import type { CreateApiKeyDto, CreatedApiKeyDto } from '../dto/api-key.dto';
import { WorkspaceCounter } from '../counters/workspace-counter.service';
import { isTest } from '../is-test';

/** The part of a key that its requests need. */
export interface UsableKey extends Pick<ApiKey, 'hash' | 'workspace_id' | 'id' | 'name' | 'access'> {
  used_recently: boolean;
}

/** SQL that is true if the time of the last use is so recent that a use now need not be stored. */
const isRecent = (last_used_at: string): string => `(${last_used_at} > ${NOW} - interval '1 minute') IS TRUE`;

const USABLE = prepared(
  'api-keys',
  `SELECT hash, workspace_id, id, name, access, ${isRecent('last_used_at')} AS used_recently
  FROM api_keys WHERE hash = ANY (:hashes) AND revoked_at IS NULL AND (expires_at > ${NOW}) IS NOT FALSE`,
);

/** Two queries at a time: while one is under way, the look-ups for the next one gather. */
const LOOK_UPS = { slots: 2, slotsOfKey: 2, keys: 1, items: 500, waitMs: 3000 };

/** The keys of workspaces: issued, found by their secret, listed, revoked. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger(ApiKeysService.name);

  private readonly lookUps: Batcher<Buffer, UsableKey | undefined>;
  /** Keys whose time of use is being stored. */
  private readonly noted = new Set<string>();

  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly units: UnitsOfWork,
    private readonly counter: WorkspaceCounter,
    private readonly limits: ManagementLimits,
    connections: ConnectionPool,
  ) {
    this.lookUps = new Batcher(LOOK_UPS, async ([hashes]) => {
      const found = await connections.rows<UsableKey>(USABLE, { hashes });
      const keys = new Map(found.map((key) => [key.hash.toString('hex'), key]));
      for (const key of keys.values()) if (!key.used_recently) this.noteUse(key);
      return [hashes.map((hash) => keys.get(hash.toString('hex')))];
    });
    connections.addManagementQueue(() => this.lookUps.queueLength);
  }

  /**
   * The key with a hash, if it may be used now. It is read each time, so that a revoked key is refused at once.
   * Look-ups that wait at the same time are one query, which begins after they were all asked for.
   */
  findUsable(hash: Buffer): Promise<UsableKey | undefined> {
    return this.lookUps.submit('', hash);
  }

  /** A new key, if the workspace has fewer than 50 that may be used. */
  create(tenant: Tenant, key: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.units.run(tenant, async (work) => {
      await this.counter.lock(work);
      const isUsable = Raw((expires_at) => `(${expires_at} > ${NOW}) IS NOT FALSE`);
      const usable = await work.count(ApiKey, { revoked_at: IsNull(), expires_at: isUsable });
      requireRoom(usable, MAX_API_KEYS, 'api_key_limit_reached');
      return this.issue(work, key);
    });
  }

  /**
   * A new key, within a transaction. The operator may issue more than the limit, to a workspace that has lost its keys.
   */
  async issue(work: Work, { name, access = 'write', expires_at }: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const expiry = expires_at ? new Date(expires_at) : null;
    if (expiry && expiry <= (await readTime(work.manager))) {
      throw Problem.invalid([{ pointer: '/expires_at', message: 'must be in the future' }]);
    }
    const key = createKey((await isTest(work)) ? 'test' : 'live');
    const id = newId();
    work.insert(ApiKey, { id, name, access, ...storedForm(key), created_at: now, expires_at: expiry });
    work.log({ action: 'api_key.created', subject: { type: 'api_key', id, name }, details: { access } });
    return { id, name, key };
  }

  /** Including revoked and expired keys. */
  list(tenant: Tenant, page: PageQuery): Promise<Page<ApiKey>> {
    return this.units.reader(tenant).page(ApiKey, {}, page);
  }

  /** Revokes a key for good. A key that was revoked before stays as it is. */
  revoke(tenant: Tenant, id: string): Promise<void> {
    return this.units.run(tenant, async (work) => {
      const { name } = await work.get(ApiKey, id);
      const revoked = await work.update(ApiKey, { id, revoked_at: IsNull() }, { revoked_at: now });
      if (revoked > 0) work.log({ action: 'api_key.revoked', subject: { type: 'api_key', id, name } });
    });
  }

  /** Stores the time of use. The request doesn't wait for it. */
  private noteUse({ workspace_id, id }: UsableKey): void {
    if (this.noted.has(id)) return;
    this.noted.add(id);
    const isStale = Raw((last_used_at) => `NOT (${isRecent(last_used_at)})`);
    this.limits.short
      .run(workspace_id, () => this.apiKeys.update({ workspace_id, id, last_used_at: isStale }, { last_used_at: now }))
      .catch((error: unknown) => this.logger.warn(`last_used_at of API key ${id} was not written: ${String(error)}`))
      .finally(() => this.noted.delete(id));
  }
}
