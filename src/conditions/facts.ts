/** `active`: it is paid. The others are as `Billed` has them. */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'unpaid', 'incomplete', 'paused', 'over'] as const;
export const FACT_INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const;

export interface FactKind {
  /** `subscription`: the billing system says it, or a token. `sessions`: the customer's earlier sessions do. */
  of: 'subscription' | 'sessions';
  type: 'string' | 'number' | 'boolean';
  /** What it is, behind "the". */
  is: string;
  values?: readonly string[];
}

/** What a branch can go by that the embedding site doesn't have to say. The console's editor asks it, too. */
export const FACTS = {
  plan: { of: 'subscription', type: 'string', is: 'name of the product' },
  price: { of: 'subscription', type: 'string', is: 'id of the price in the billing system' },
  amount: {
    of: 'subscription',
    type: 'number',
    is: 'price per month before discounts, in the smallest unit of the currency',
  },
  currency: { of: 'subscription', type: 'string', is: 'currency (ISO 4217, in capital letters)' },
  interval: { of: 'subscription', type: 'string', is: 'time between two payments', values: FACT_INTERVALS },
  months: { of: 'subscription', type: 'number', is: 'whole months since the subscription began' },
  status: { of: 'subscription', type: 'string', is: 'status of the subscription', values: SUBSCRIPTION_STATUSES },
  quantity: { of: 'subscription', type: 'number', is: 'quantity, such as the number of seats' },
  discounted: { of: 'subscription', type: 'boolean', is: 'answer to whether a discount counts now' },
  country: { of: 'subscription', type: 'string', is: 'country of the billing address (ISO 3166-1, such as DE)' },
  ends: { of: 'subscription', type: 'boolean', is: 'answer to whether the subscription is set to end' },
  saves: { of: 'sessions', type: 'number', is: 'number of earlier sessions in which the customer stayed' },
  days_since_saved: { of: 'sessions', type: 'number', is: 'whole days since the customer stayed last' },
  last_offer: { of: 'sessions', type: 'string', is: 'id of the offer that the customer accepted last' },
  sessions: { of: 'sessions', type: 'number', is: 'number of sessions of the customer, this one included' },
} satisfies Record<string, FactKind>;

export type Fact = keyof typeof FACTS;
export const FACT_NAMES = Object.keys(FACTS) as Fact[];

/** What is known of a customer. What is absent is unknown. */
export type Facts = Partial<Record<Fact, string | number | boolean>>;

/** Comparisons of numbers. */
export const ORDERED = ['<', '<=', '>', '>='];

/** The most earlier sessions that `saves` and `sessions` count, of those that are over and of those that are not. */
export const MAX_EARLIER = 1000;

/** Whether a value can be that of the fact. */
export function isValueOf(fact: Fact, value: unknown): boolean {
  const { type, values }: FactKind = FACTS[fact];
  return typeof value === type && value !== '' && (values?.includes(value as string) ?? true);
}
