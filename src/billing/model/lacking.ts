import { permissionFor } from '../../billing-jobs/carried-out-by';
import type { Permission } from '../../billing-jobs/billing-connection.entity';
import type { PlannedOffer } from './task';

export const LACKING: Record<Permission, string> = {
  customers_read: 'The key may not read Customers: a discount of their own may be lost.',
  prices_read: 'The key may not read Prices.',
  subscriptions_write: 'The key may not change Subscriptions.',
  coupons_write: 'The key may not make Coupons.',
  invoices_write: 'The key may not void Invoices.',
};

/** What the key may not read, of an offer that needs something besides what every key may read. */
export function lackingFor({ offer_type }: PlannedOffer): { detail: string; missing: Permission } {
  const missing = permissionFor(offer_type)!;
  return { missing, detail: LACKING[missing] };
}
