import type { Offer } from '@retention-flow/client';
import { amountText, decimalsOf } from '../../../src/platform/common/minor-units';
import { monthsIn } from '../../../src/platform/common/duration';
import type { OfferType } from '../../../src/offers/terms/types';
import { counted } from '../ui/format';

export type { OfferType };

type Terms = NonNullable<Offer['terms']>;

/** What billing does for a customer who accepts an offer, as it is typed. */
export interface TermsDraft {
  /**
   * `terms`: billing does what is typed here. `coupon`: it uses a coupon that is there. `words`: a person does what the
   * texts say.
   */
  by: 'terms' | 'coupon' | 'words';
  percent_off: string;
  amount_off: string;
  currency: string;
  duration: NonNullable<Terms['duration']>;
  /** Of a pause, several with commas between them: the customer chooses. */
  months: string;
  days: string;
  price: string;
  coupon: string;
}

/**
 * An offer to begin with. Its texts have placeholders for the value and the duration, which the service resolves. The
 * name is for the team, and follows them while they are typed.
 */
export type Example = Record<
  'name' | 'offer_value' | 'offer_duration' | 'heading' | 'body' | 'cta_accept' | 'cta_decline',
  string
>;

export type Words = Pick<Offer, 'offer_value' | 'offer_duration'>;

/** A type of offers, as people see it. */
interface OfferKind {
  name: string;
  /** How such an offer can be applied, and by whom. A new offer gets the first. */
  ways: (readonly [by: TermsDraft['by'], name: string])[];
  example: Example;
  /** What billing does in the example. */
  exampleTerms?: Partial<TermsDraft>;
  /** The terms as the service takes them, if billing does what is typed. */
  termsOf: (draft: TermsDraft) => Offer['terms'];
  /** The value and the duration that customers read, where they are made from the terms, as far as these are typed. */
  wordsOf?: (draft: TermsDraft) => Words;
}

const WORDS = ['words', 'A person, by hand'] as const;
const COUPON = ['coupon', 'Billing applies a coupon that you have'] as const;

/** The types of offers. The fields of their terms are in `TERMS_OF`. */
export const OFFER_KINDS: Record<OfferType, OfferKind> = {
  discount_percentage: {
    name: 'Discount in percent',
    ways: [['terms', 'Billing applies this discount'], COUPON, WORDS],
    example: {
      name: '{value} off for {duration}',
      offer_value: '30%',
      offer_duration: '3 months',
      heading: 'Stay for {{value}} less',
      body: 'Keep everything you have, for {{value}} less, for {{duration}}.',
      cta_accept: 'Take {{value}} off',
      cta_decline: 'No thanks',
    },
    exampleTerms: { percent_off: '30', months: '3' },
    termsOf: ({ percent_off, ...lasting }) => ({ percent_off: Number(percent_off), ...lastingOf(lasting) }),
    wordsOf: (draft) => ({
      offer_value: draft.percent_off && `${Number(draft.percent_off)}%`,
      offer_duration: durationOf(draft),
    }),
  },
  discount_fixed: {
    name: 'Fixed discount',
    ways: [['terms', 'Billing applies this discount'], COUPON, WORDS],
    example: {
      name: '{value} off for {duration}',
      offer_value: '$10',
      offer_duration: '6 months',
      heading: 'Pay {{value}} less each month',
      body: 'Your plan stays the same, and costs {{value}} less for {{duration}}.',
      cta_accept: 'Take {{value}} off',
      cta_decline: 'No thanks',
    },
    exampleTerms: { amount_off: '10', currency: 'USD', months: '6' },
    termsOf: ({ amount_off, currency, ...lasting }) => ({
      amount_off: minorUnitsOf(Number(amount_off), currency),
      currency,
      ...lastingOf(lasting),
    }),
    wordsOf: (draft) => ({
      offer_value: draft.amount_off && priceOf(Number(draft.amount_off), draft.currency),
      offer_duration: durationOf(draft),
    }),
  },
  pause_subscription: {
    name: 'Pause',
    ways: [['terms', 'Billing pauses the subscription'], WORDS],
    example: {
      name: 'Pause for {duration}',
      offer_value: '',
      offer_duration: '1 month',
      heading: 'Take a break instead',
      body: 'Pause for {{duration}}. You pay nothing meanwhile, and everything is there when you come back.',
      cta_accept: 'Pause my subscription',
      cta_decline: 'No thanks',
    },
    exampleTerms: { months: '1' },
    termsOf: ({ months }) => ({ months: monthsOf(months) }),
    wordsOf: ({ months }) => ({ offer_value: '', offer_duration: months && monthsIn(monthsOf(months), 'en') }),
  },
  trial_extension: {
    name: 'Longer trial',
    ways: [['terms', 'Billing puts off the next payment'], WORDS],
    example: {
      name: '{value} more of trial',
      offer_value: '14 days',
      offer_duration: '14 days',
      heading: 'Take {{value}} more to decide',
      body: 'Try everything for another {{value}}, free of charge.',
      cta_accept: 'Extend my trial',
      cta_decline: 'No thanks',
    },
    exampleTerms: { days: '14' },
    termsOf: ({ days }) => ({ days: Number(days) }),
    wordsOf: ({ days }) => {
      const inDays = days && counted(Number(days), 'day');
      return { offer_value: inDays, offer_duration: inDays };
    },
  },
  plan_change: {
    name: 'Another plan',
    ways: [['terms', 'Billing changes the price'], WORDS],
    example: {
      name: 'The {value} plan',
      offer_value: 'yearly',
      offer_duration: '',
      heading: 'Change to the {{value}} plan and pay less',
      body: 'The {{value}} plan has everything you have now, for less.',
      cta_accept: 'Change to the {{value}} plan',
      cta_decline: 'No thanks',
    },
    termsOf: ({ price }) => ({ price }),
  },
  custom: {
    name: 'Something else',
    ways: [WORDS],
    example: {
      name: 'A call with our team',
      offer_value: '30 minutes',
      offer_duration: '',
      heading: 'Let us set it up with you',
      body: 'Book a call of {{value}}. We set up your account together, and your next month is free.',
      cta_accept: 'Book a call',
      cta_decline: 'No thanks',
    },
    termsOf: () => null,
  },
};

/** What customers have decided who accept an offer. */
export const OUTCOME_NAMES = { saved: 'They stay', open: 'Not decided yet, such as a call' };

/** The types with their names, for a choice. */
export const OFFER_TYPES = Object.entries(OFFER_KINDS).map(([type, { name }]): [OfferType, string] => [
  type as OfferType,
  name,
]);

/** The name of a type; the type itself if the service is newer than this page. */
export function nameOfType(type: OfferType): string {
  return OFFER_TYPES.find(([known]) => known === type)?.[1] ?? type;
}

/** Of "2" the number, of "1, 2, 3" the list. */
export function monthsOf(typed: string): number | number[] {
  const numbers = (typed.match(/\d+/g) ?? []).map(Number);
  return numbers.length > 1 ? numbers : (numbers[0] ?? NaN);
}

type Lasting = Pick<TermsDraft, 'duration' | 'months'>;

function lastingOf({ duration, months }: Lasting): Pick<Terms, 'duration' | 'months'> {
  return duration === 'repeating' ? { duration, months: Number(months) } : { duration };
}

const LASTING = { once: 'the next payment', forever: 'as long as you stay' };

function durationOf({ duration, months }: Lasting): string {
  return duration === 'repeating' ? months && counted(Number(months), 'month') : LASTING[duration];
}

/** $10, $9.50 */
function priceOf(amount: number, currency: string): string {
  // While the currency is not typed to its end, there is no name for it.
  if (!/^[A-Z]{3}$/.test(currency)) return String(amount);
  return amountText(minorUnitsOf(amount, currency), currency, true);
}

function minorUnitsOf(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}
