import type { Permission } from '../../billing-jobs/billing-connection.entity';
import type { PlannedOffer } from './task';

/** What the key may not read that an offer needs. */
export function lackingFor({ terms }: PlannedOffer): { detail: string; missing: Permission } {
  return terms.price === undefined
    ? { detail: 'The key may not read Customers: a discount of their own may be lost.', missing: 'customers_read' }
    : { detail: 'The key may not read Prices.', missing: 'prices_read' };
}
