import type { Customer } from '../../src/types.ts';

/** The customer who walks through a fake flow. */
export interface FakeCustomer {
  /** By it, a split that no `arm` is given for chooses one: always the same. */
  id?: string | undefined;
  /** For placeholders in texts, and for conditions. */
  attributes?: Customer['attributes'];
  /** For conditions: what the billing system and earlier sessions would say. */
  facts?: Record<string, string | number | boolean> | undefined;
}

export interface FakeOptions {
  /** The key of the flow in the document. Without it, the first. */
  flow?: string | undefined;
  customer?: FakeCustomer | undefined;
  /** The customer's language. Without it, the flow's. */
  locale?: string | undefined;
  /** The arm of each split, by its key. */
  arm?: Record<string, string> | undefined;
  /** Where the customer cancels. Without it, the `cancellation_url` of the flow. */
  cancelUrl?: string | undefined;
}
