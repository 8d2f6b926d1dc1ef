import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Cache, type CacheRegion } from '../common/cache';
import { DatabaseClock } from '../database/clock.service';
import { CustomerKey } from './customer-key.entity';
import { type CustomerClaims, verifyCustomerToken, verifyingKey, type VerifyingKey } from './customer-token';

/**
 * Verifies customer tokens. A key never changes, so it is remembered. That it was not deleted meanwhile is for the caller
 * to check: `workspaces.revision` goes up when it is.
 */
@Injectable()
export class CustomerTokens {
  private readonly keys: CacheRegion<VerifyingKey>;

  constructor(
    @InjectRepository(CustomerKey) private readonly customerKeys: Repository<CustomerKey>,
    private readonly clock: DatabaseClock,
    cache: Cache,
  ) {
    this.keys = cache.region('customer key');
  }

  /** What a token claims; undefined if it is not good in this workspace. */
  async verify(workspaceId: string, token: string): Promise<CustomerClaims | undefined> {
    const time = await this.clock.time();
    return verifyCustomerToken(token, { workspaceId, time, findKey: (id) => this.findKey(workspaceId, id) });
  }

  private async findKey(workspaceId: string, id: string): Promise<VerifyingKey | undefined> {
    const name = `${workspaceId} ${id}`;
    const known = this.keys.get(name);
    if (known) return known;
    const found = await this.customerKeys.findOneBy({ workspace_id: workspaceId, id });
    if (!found) return undefined;
    const key = await verifyingKey(found);
    this.keys.set(name, key);
    return key;
  }
}
