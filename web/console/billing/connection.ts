import { ApiError, type BillingConnection, type RetentionFlow } from '@retention-flow/client';

/** The connection of the workspace to its billing system; null if there is none. */
export async function readConnection(client: RetentionFlow, signal: AbortSignal): Promise<BillingConnection | null> {
  try {
    return await client.billing.get({ signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export const MODES: [mode: BillingConnection['mode'], name: string][] = [
  ['dry_run', 'Dry run: write down what would be sent'],
  ['live', 'Live: carry it out'],
];

export const PRORATIONS: [proration: BillingConnection['proration'], name: string][] = [
  ['create_prorations', 'Put the difference on the next invoice'],
  ['always_invoice', 'Bill the difference at once'],
  ['none', 'Change it at once, without a difference for the rest of the period'],
  ['at_period_end', 'Change it at the end of the period'],
];

export const UNPAID: [what: BillingConnection['unpaid_on_cancel'], name: string][] = [
  ['leave', 'Stripe goes on with it as it would'],
  ['void', 'It is voided'],
];

export function nameIn<Value extends string>(names: [Value, string][], value: Value): string {
  return names.find(([known]) => known === value)?.[1] ?? value;
}
