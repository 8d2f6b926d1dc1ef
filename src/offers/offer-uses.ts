import { Injectable } from '@nestjs/common';
import type { Tenant } from '../tenancy/work/tenant';

/** A flow whose current version presents an offer. */
export interface OfferUse {
  id: string;
  name: string;
  status: string;
}

/** Finds where an offer is used. The module of flows says how, because offers don't know of flows. */
@Injectable()
export class OfferUses {
  private find: (tenant: Tenant, offerId: string) => Promise<OfferUse[]> = () => Promise.resolve([]);

  findBy(find: typeof this.find): void {
    this.find = find;
  }

  /** The newest such flows, without archived ones; undefined if there is none. */
  async of(tenant: Tenant, offerId: string): Promise<OfferUse[] | undefined> {
    const uses = await this.find(tenant, offerId);
    return uses.length > 0 ? uses : undefined;
  }
}
