import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Cache } from '../common/cache';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readNewest } from '../common/pagination';
import { Problem, type TokenFault } from '../common/problem';
import { requireRoom } from '../common/room';
import { DatabaseClock } from '../database/clock.service';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import type { Actor } from './actor';
import { ChangeLog } from './changes/change-log.service';
import { CustomerKey, MAX_CUSTOMER_KEYS } from './customer-key.entity';
import { type CustomerClaims, verifyCustomerToken, verifyingKey, type VerifyingKey } from './customer-token';
import type { CreateCustomerKeyDto, CreatedCustomerKeyDto } from './dto/customer-key.dto';
import { Workspace } from './workspace.entity';

/** The keys that sign the customers of a workspace: created, listed, deleted, and asked whether a token is good. */
@Injectable()
export class CustomerKeysService {
  constructor(
    @InjectRepository(CustomerKey) private readonly customerKeys: Repository<CustomerKey>,
    private readonly changes: ChangeLog,
    private readonly idempotency: Idempotency,
    private readonly clock: DatabaseClock,
    private readonly cache: Cache,
  ) {}

  /** A new key. The secret of HS256 can't be read again. */
  async create(
    workspaceId: string,
    { name, algorithm, public_key }: CreateCustomerKeyDto,
    actor: Actor,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedCustomerKeyDto> {
    if ((algorithm === 'EdDSA') !== !!public_key) {
      throw Problem.invalid([{ pointer: '/public_key', message: 'must be sent with EdDSA, and left out with HS256' }]);
    }
    const created = { id: newId(), name, algorithm, secret: algorithm === 'HS256' ? createSecret() : null };
    const create = async (manager: EntityManager) => {
      const existing = await manager.countBy(CustomerKey, { workspace_id: workspaceId });
      requireRoom(existing, MAX_CUSTOMER_KEYS, 'customer_key_limit_reached');
      await manager.insert(CustomerKey, { workspace_id: workspaceId, ...created, public_key, created_at: now });
      const subject = { type: 'customer_key' as const, id: created.id, name };
      await this.changes.append(workspaceId, { actor, action: 'customer_key.created', subject }, manager);
      return created;
    };
    return this.change(workspaceId, create, idempotent);
  }

  list(workspaceId: string, page: PageQuery): Promise<Page<CustomerKey>> {
    return readNewest(this.customerKeys, { workspace_id: workspaceId }, page);
  }

  async delete(workspaceId: string, id: string, actor: Actor): Promise<void> {
    await this.change(workspaceId, async (manager) => {
      const key = await manager.findOneBy(CustomerKey, { workspace_id: workspaceId, id });
      if (!key) throw new Problem('not_found');
      await manager.delete(CustomerKey, { workspace_id: workspaceId, id });
      const subject = { type: 'customer_key' as const, id, name: key.name };
      await this.changes.append(workspaceId, { actor, action: 'customer_key.deleted', subject }, manager);
    });
  }

  /**
   * What a token claims, or why it is not good in this workspace. A key never changes, so it is remembered. That it was not
   * deleted meanwhile is for the caller to check.
   */
  async verify(workspaceId: string, token: string): Promise<CustomerClaims | TokenFault> {
    const time = await this.clock.time();
    const findKey = (id: string) =>
      this.cache.getOrRead('customer key', `${workspaceId} ${id}`, async (): Promise<VerifyingKey | null> => {
        const key = await this.customerKeys.findOneBy({ workspace_id: workspaceId, id });
        return key && verifyingKey(key);
      });
    return verifyCustomerToken(token, { workspaceId, time, findKey });
  }

  /**
   * Changes keys, one request of the workspace after another, so that their number is exact. The update locks the workspace,
   * as starts do: none begins on a key that is gone.
   */
  private change<T>(
    workspaceId: string,
    work: (manager: EntityManager) => Promise<T>,
    idempotent?: IdempotentRequest,
  ): Promise<T> {
    const change = async (manager: EntityManager) => {
      await manager.update(Workspace, { id: workspaceId }, { updated_at: now });
      return work(manager);
    };
    return this.idempotency.run(workspaceId, idempotent, change);
  }
}

/** A new secret: 256 random bits as text. Its characters are the key of HMAC, so JWT libraries take it as it is. */
function createSecret(): string {
  return `cksec_${randomBytes(32).toString('base64url')}`;
}
