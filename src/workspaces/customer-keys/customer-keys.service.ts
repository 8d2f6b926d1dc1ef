import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Cache } from '../../platform/common/cache';
import { newId } from '../../platform/api/ids';
import type { Page, PageQuery } from '../../platform/api/paging/pagination';
import { Problem } from '../../platform/api/problems/problem';
import type { TokenFault } from '../../platform/api/problems/problem-codes';
import { requireRoom } from '../../platform/api/room';
import { DatabaseClock } from '../../platform/database/connection/clock.service';
import { now } from '../../platform/database/time';
import type { Tenant } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { CustomerKey, MAX_CUSTOMER_KEYS } from './customer-key.entity';
import { type CustomerClaims, verifyCustomerToken, verifyingKey, type VerifyingKey } from './customer-token';
import type { CreateCustomerKeyDto, CreatedCustomerKeyDto } from '../dto/customer-key.dto';
import { Workspace } from '../workspace.entity';

/** The keys that sign the customers of a workspace: created, listed, deleted, and asked whether a token is good. */
@Injectable()
export class CustomerKeysService {
  constructor(
    @InjectRepository(CustomerKey) private readonly customerKeys: Repository<CustomerKey>,
    private readonly units: UnitsOfWork,
    private readonly clock: DatabaseClock,
    private readonly cache: Cache,
  ) {}

  /** A new key. The secret of HS256 can't be read again. */
  async create(tenant: Tenant, { name, algorithm, public_key }: CreateCustomerKeyDto): Promise<CreatedCustomerKeyDto> {
    if ((algorithm === 'EdDSA') !== !!public_key) {
      throw Problem.invalid([{ pointer: '/public_key', message: 'must be sent with EdDSA, and left out with HS256' }]);
    }
    const created = { id: newId(), name, algorithm, secret: algorithm === 'HS256' ? createSecret() : null };
    return this.change(tenant, async (work) => {
      requireRoom(await work.count(CustomerKey), MAX_CUSTOMER_KEYS, 'customer_key_limit_reached');
      work.insert(CustomerKey, { ...created, public_key, created_at: now });
      work.log({ action: 'customer_key.created', subject: subjectOf(created) });
      return created;
    });
  }

  list(tenant: Tenant, page: PageQuery): Promise<Page<CustomerKey>> {
    return this.units.reader(tenant).page(CustomerKey, {}, page);
  }

  delete(tenant: Tenant, id: string): Promise<void> {
    return this.change(tenant, async (work) => {
      const key = await work.get(CustomerKey, id);
      await work.delete(CustomerKey, id);
      work.log({ action: 'customer_key.deleted', subject: subjectOf(key) });
    });
  }

  /**
   * The claims of a token, or why it is not valid in this workspace. A key never changes, so it is remembered. That it
   * was not deleted meanwhile is for the caller to check.
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
   * Changes keys, one request of the workspace after another, so that their number is exact. The update locks the
   * workspace, as starts do: none begins on a key that is gone.
   */
  private change<T>(tenant: Tenant, steps: (work: Work) => Promise<T>): Promise<T> {
    return this.units.run(tenant, async (work) => {
      await work.manager.update(Workspace, { id: work.workspaceId }, { updated_at: now });
      return steps(work);
    });
  }
}

function subjectOf({ id, name }: Pick<CustomerKey, 'id' | 'name'>) {
  return { type: 'customer_key' as const, id, name };
}

/** A new secret: 256 random bits as text. Its characters are the key of HMAC, so JWT libraries take it as it is. */
function createSecret(): string {
  return `cksec_${randomBytes(32).toString('base64url')}`;
}
