import type { OfferLimit } from '../workspaces/offer-limit';

/** What becomes of a field of an offer. */
interface Field {
  /** What a new offer has without it. The heading is its name then; the limit is `DEFAULT_LIMIT` if it has terms. */
  default?: unknown;
  /** The most characters. */
  max?: number;
  /** Whether customers read it as text: it may have placeholders, and is translated. */
  isText?: true;
  /** Whether it is too long for the log of changes, which leads to the versions that have it. */
  isLong?: true;
  /**
   * Where it stands: in `lists` of offers; in the `record` of a session to which the offer was shown; and in what the
   * customer sees of it, `shown` before they decide and `accepted` afterwards.
   */
  in: readonly Place[];
}

type Place = 'lists' | 'record' | 'shown' | 'accepted';

/**
 * The fields that versions and drafts have of an offer, in the order of their columns. The order is in the ETags of
 * offers, too, so a new field comes last. The console uses this file.
 */
export const OFFER_FIELDS = {
  name: { max: 200, in: ['lists', 'record'] },
  offer_type: { in: ['lists', 'record', 'shown', 'accepted'] },
  offer_value: { max: 200, default: '', in: ['lists', 'record', 'shown', 'accepted'] },
  offer_duration: { max: 200, default: '', in: ['lists', 'record', 'shown', 'accepted'] },
  heading: { max: 200, isText: true, in: ['lists', 'record', 'shown', 'accepted'] },
  body: { max: 5000, default: '', isText: true, isLong: true, in: ['record', 'shown', 'accepted'] },
  cta_accept: { max: 200, default: 'Accept offer', isText: true, in: ['lists', 'record', 'shown'] },
  cta_decline: { max: 200, default: 'No thanks', isText: true, in: ['lists', 'record', 'shown'] },
  // Not in `record`, which has these, the picture and the points as the customer saw them.
  accepted_title: { max: 200, default: '', isText: true, in: [] },
  accepted_body: { max: 5000, default: '', isText: true, isLong: true, in: [] },
  accept_url: { max: 2048, default: null, in: ['record'] },
  metadata: { default: {}, isLong: true, in: ['record'] },
  limit: { in: ['record'] },
  terms: { default: null, in: ['record'] },
  image: { default: null, in: [] },
  points: { default: [] as string[], in: [] },
  translations: { default: {}, isLong: true, in: [] },
  // Only of custom offers. The customer sees `kind` and `data` where there are some.
  outcome: { default: 'saved', in: ['record'] },
  kind: { default: null, in: ['record'] },
  data: { default: null, isLong: true, in: ['record'] },
  // Whom it is for, and when: nothing that a customer reads.
  available: { default: null, in: [] },
  when: { default: null, isLong: true, in: [] },
} as const satisfies Record<string, Field>;

type Fields = typeof OFFER_FIELDS;
export type OfferField = keyof Fields;

/** The names of the fields with these properties. */
export type FieldWith<Said> = { [Name in OfferField]: Fields[Name] extends Said ? Name : never }[OfferField];
type FieldIn<Where extends Place> = {
  [Name in OfferField]: Where extends Fields[Name]['in'][number] ? Name : never;
}[OfferField];

export const OFFER_CONTENT = Object.keys(OFFER_FIELDS) as OfferField[];

/** A field's entry, with every property that a field may have. */
export const aboutField = (name: OfferField): Field => OFFER_FIELDS[name];

/** The fields that stand in a place. */
export function fieldsIn<Where extends Place>(place: Where): FieldIn<Where>[] {
  return OFFER_CONTENT.filter((name) => aboutField(name).in.includes(place)) as FieldIn<Where>[];
}

/** The texts that a customer reads of an offer. */
export const OFFER_TEXTS = OFFER_CONTENT.filter((name) => aboutField(name).isText) as FieldWith<{ isText: true }>[];
export type OfferText = (typeof OFFER_TEXTS)[number];

type Defaulted = FieldWith<{ default: unknown }>;

/** What a new offer has in fields that it leaves out. */
export const DEFAULTS = Object.fromEntries(
  OFFER_CONTENT.flatMap((name) => ('default' in OFFER_FIELDS[name] ? [[name, OFFER_FIELDS[name].default]] : [])),
) as { [Name in Defaulted]: Fields[Name]['default'] };

/** The limit of a new offer that has terms, and names none. */
export const DEFAULT_LIMIT: OfferLimit = { accepted: 1, within_days: 365 };

/** The content of a new offer, with defaults for what it leaves out. */
export function newContent<Sent extends { name: string; terms?: object | null }>(sent: Sent) {
  return { heading: sent.name, limit: sent.terms ? DEFAULT_LIMIT : null, ...DEFAULTS, ...sent };
}
