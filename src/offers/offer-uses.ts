import type { Tenant } from '../tenancy/work/tenant';

/** A flow whose current version presents an offer. */
export interface OfferUse {
  id: string;
  name: string;
  status: string;
}

/** Where an offer is used. The module of flows implements it, because offers don't know of flows. */
export abstract class OfferUses {
  /** The newest such flows, without archived ones; undefined if there is none. */
  abstract of(tenant: Tenant, offerId: string): Promise<OfferUse[] | undefined>;
}
