import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Raw, Repository } from 'typeorm';
import { newId } from '../common/ids';
import { type Page, PageQuery, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { NOW, now, readTime } from '../database/time';
import { ApiKey, type ApiKeyAccess, isRecent } from './api-key.entity';
import { createKey, hashOf, storedForm } from './api-key-secret';

export interface NewApiKey {
  name: string;
  access?: ApiKeyAccess;
  /** RFC 3339; undefined: never. */
  expires_at?: string;
}

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

  constructor(@InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>) {}

  /** The key of a secret, if it may be used now. It is read each time, so that a revoked key is refused at once. */
  async findUsable(secret: string): Promise<ApiKey | undefined> {
    const key = await this.apiKeys.findOneBy({
      hash: hashOf(secret),
      revoked_at: IsNull(),
      expires_at: Raw((expiry) => `(${expiry} > ${NOW}) IS NOT FALSE`),
    });
    if (key && !key.used_recently) this.noteUse(key);
    return key ?? undefined;
  }

  async issue(
    workspaceId: string,
    { name, access = 'write', expires_at }: NewApiKey,
    apiKeys = this.apiKeys,
  ): Promise<IssuedApiKey> {
    const expiry = expires_at ? new Date(expires_at) : null;
    if (expiry && expiry <= (await readTime(apiKeys.manager))) {
      throw Problem.invalid([{ pointer: '/expires_at', message: 'must be in the future' }]);
    }
    const key = createKey();
    const id = newId();
    await apiKeys.insert({
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
  private noteUse({ workspace_id, id }: ApiKey): void {
    const isStale = Raw((last_used_at) => `NOT ${isRecent(last_used_at)}`);
    this.apiKeys
      .update({ workspace_id, id, last_used_at: isStale }, { last_used_at: now })
      .catch((error: unknown) => this.logger.warn(`last_used_at of API key ${id} was not written: ${String(error)}`));
  }
}
