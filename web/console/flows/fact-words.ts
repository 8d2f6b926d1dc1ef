import { type Fact, FACT_NAMES, FACTS, type FactKind } from '../../../src/conditions/facts';

interface FactWords {
  label: string;
  /** A value to begin with, where customers had none. */
  first: string | number | boolean;
  /** How the value is to be written. */
  hint?: string;
}

const WORDS: Record<Fact, FactWords> = {
  plan: { label: 'plan', first: 'Pro', hint: 'The name of the product, as your billing system has it' },
  amount: { label: 'price per month', first: 2900, hint: 'In the smallest unit of the currency: 2900 is 29.00' },
  months: { label: 'months since it began', first: 6 },
  interval: { label: 'time between payments', first: 'month' },
  status: { label: 'status of the subscription', first: 'trialing' },
  discounted: { label: 'has a discount now', first: true },
  ends: { label: 'is set to end', first: true },
  quantity: { label: 'quantity, such as seats', first: 5 },
  currency: { label: 'currency', first: 'EUR' },
  country: { label: 'country', first: 'DE', hint: 'Two letters, such as DE' },
  price: { label: 'id of the price', first: 'price_1', hint: 'Its id in your billing system' },
  saves: { label: 'times that they stayed before', first: 1 },
  days_since_saved: { label: 'days since they stayed', first: 30 },
  last_offer: { label: 'offer accepted last', first: '' },
  sessions: { label: 'times that they came, this one included', first: 2 },
};

/** The facts in the order in which people choose them, each with its label. */
export const FACT_LABELS = Object.entries(WORDS).map(([fact, { label }]) => [fact as Fact, label] as const);

export const isFact = (name: string): name is Fact => (FACT_NAMES as string[]).includes(name);

/** The label of a fact; another name, as a newer version may have, is its own. */
export const factLabel = (fact: string): string => (isFact(fact) ? WORDS[fact].label : fact);

export const factWords = (fact: Fact): FactWords => WORDS[fact];

export const kindOf = (fact: Fact): FactKind => FACTS[fact];

/** The values to choose from, each with its words; undefined where the value is written. */
export function choicesFor(
  fact: Fact,
  offers: { id: string; name: string }[],
): (readonly [value: string, label: string])[] | undefined {
  const { type, values } = kindOf(fact);
  if (fact === 'last_offer') return offers.map(({ id, name }) => [id, name] as const);
  if (type === 'boolean') return YES_OR_NO;
  return values?.map((one) => [one, one] as const);
}

const YES_OR_NO: (readonly [string, string])[] = [
  ['true', 'yes'],
  ['false', 'no'],
];
