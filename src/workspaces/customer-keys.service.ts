import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, LessThan, Repository } from 'typeorm';
import type { IdempotentRequest } from '../common/idempotent-request';
import { newId } from '../common/ids';
import { type Page, PageQuery, readPage } from '../common/pagination';
import { Problem } from '../common/problem';
import { Idempotency } from '../database/idempotency.service';
import { now } from '../database/time';
import { CustomerKey, MAX_CUSTOMER_KEYS } from './customer-key.entity';
import { Workspace } from './workspace.entity';

type NewCustomerKey = Pick<CustomerKey, 'name' | 'algorithm'> & { public_key?: CustomerKey['public_key'] };
type CreatedCustomerKey = Pick<CustomerKey, 'id' | 'name' | 'algorithm' | 'secret'>;

/** The keys that sign the customers of a workspace: created, listed, deleted. */
@Injectable()
export class CustomerKeysService {
  constructor(
    @InjectRepository(CustomerKey) private readonly customerKeys: Repository<CustomerKey>,
    private readonly idempotency: Idempotency,
  ) {}

  /** A new key. The secret of HS256 can't be read again. */
  async create(
    workspaceId: string,
    { name, algorithm, public_key = null }: NewCustomerKey,
    idempotent?: IdempotentRequest,
  ): Promise<CreatedCustomerKey> {
    if ((algorithm === 'EdDSA') !== (public_key !== null)) {
      throw Problem.invalid([{ pointer: '/public_key', message: 'must be sent with EdDSA, and left out with HS256' }]);
    }
    const created = { id: newId(), name, algorithm, secret: algorithm === 'HS256' ? createSecret() : null };
    const create = async (manager: EntityManager) => {
      const existing = await manager.countBy(CustomerKey, { workspace_id: workspaceId });
      if (existing >= MAX_CUSTOMER_KEYS) throw new Problem('customer_key_limit_reached');
      await manager.insert(CustomerKey, { workspace_id: workspaceId, ...created, public_key, created_at: now });
      return created;
    };
    return this.change(workspaceId, create, idempotent);
  }

  list(workspaceId: string, page: PageQuery): Promise<Page<CustomerKey>> {
    return readPage(page, (before, take) =>
      this.customerKeys.find({
        where: { workspace_id: workspaceId, id: LessThan(before) },
        order: { id: 'DESC' },
        take,
      }),
    );
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await this.change(workspaceId, async (manager) => {
      const { affected } = await manager.delete(CustomerKey, { workspace_id: workspaceId, id });
      if (!affected) throw new Problem('not_found');
    });
  }

  /**
   * Changes keys, one request of the workspace after another, so that their number is exact. The update locks the
   * workspace and raises its revision: no process starts sessions on the keys of before.
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

/** A new secret: 256 random bits as text. Its characters are the key of HMAC, so JWT libraries take it as it stands. */
function createSecret(): string {
  return `cksec_${randomBytes(32).toString('base64url')}`;
}
