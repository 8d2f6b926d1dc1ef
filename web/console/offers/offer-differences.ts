import type { Offer, OfferDraft } from '@retention-flow/client';
import { counted, time } from '../ui/format';
import { monthsIn } from '../../../src/platform/common/duration';
import { namedTexts } from '../../../src/offers/terms/types';
import { conditionWords } from '../flows/graph/condition-words';
import { amountText } from '../../../src/platform/common/minor-units';
import { type Difference, type Lines, rowsOf } from '../versions/difference';
import { FIELD_NAMES } from './field-names';
import { jsonText } from '../ui/json';
import { nameOfType, OUTCOME_NAMES } from './offer-types';

/** What versions and drafts have of an offer. */
export type OfferContent = Omit<
  OfferDraft,
  'based_on_version' | 'current_version' | 'updated_by' | 'updated_at' | 'faults'
>;

/** What the texts of an offer and its translations are called. */
const TEXT_NAMES = { ...FIELD_NAMES, image_alt: 'Description of the picture' };

function nameOf(text: string): string {
  const [, point] = text.split('points/');
  return point === undefined ? ((TEXT_NAMES as Record<string, string>)[text] ?? text) : `Point ${Number(point) + 1}`;
}

const text =
  (field: keyof typeof TEXT_NAMES) =>
  (value: string): [string, string][] => [[TEXT_NAMES[field], value]];

/** Each field in lines. No two lines of an offer have the same name: differences are listed by them. */
const LINES: { [Field in keyof OfferContent]: (value: OfferContent[Field]) => [what: string, text: string][] } = {
  name: text('name'),
  offer_type: (type) => [[FIELD_NAMES.offer_type, nameOfType(type)]],
  offer_value: text('offer_value'),
  offer_duration: text('offer_duration'),
  heading: text('heading'),
  body: text('body'),
  cta_accept: text('cta_accept'),
  cta_decline: text('cta_decline'),
  accepted_title: text('accepted_title'),
  accepted_body: text('accepted_body'),
  accept_url: (url) => [[FIELD_NAMES.accept_url, url ?? '']],
  metadata: (metadata) => Object.entries(metadata).map(([name, value]) => [`Metadata ${name}`, value]),
  limit: (limit) => [['Limit', limit ? `${limit.accepted} × in ${limit.within_days} days` : 'none']],
  terms: (terms) => [['Billing', termsText(terms)]],
  image: (image) => [
    ['Picture', image?.url ?? ''],
    [TEXT_NAMES.image_alt, image?.alt ?? ''],
  ],
  points: (points) => points.map((point, index): [string, string] => [`Point ${index + 1}`, point]),
  outcome: (outcome) => [['Customers who accept', OUTCOME_NAMES[outcome]]],
  kind: (kind) => [['Kind', kind ?? '']],
  available: (available) => [['Shown', spanText(available)]],
  when: (when) => [['Only for', when === null ? '' : conditionWords(when)]],
  data: (data) => [['Data', jsonText(data)]],
  translations: (translations) =>
    Object.entries(translations).flatMap(([language, texts]) =>
      Object.entries(namedTexts(texts)).map(([name, text]): [string, string] => [`${nameOf(name)}, ${language}`, text]),
    ),
};

/** When an offer is shown, in words; '' if at any time. */
export function spanText(available: Offer['available']): string {
  const { from = null, until = null } = available ?? {};
  return [from && `from ${time(from)}`, until && `until ${time(until)}`].filter(Boolean).join(' ');
}

/** Where a JSON Pointer into an offer leads, for people. */
export function placeOf(pointer: string): string {
  const [field, inner, ...text] = pointer.split('/').slice(1);
  if (field === 'translations') return `${nameOf(text.join('/'))}, ${inner},`;
  if (field === 'image') return inner === 'alt' ? TEXT_NAMES.image_alt : 'Picture';
  if (field === 'points' && inner !== undefined) return nameOf(`points/${inner}`);
  if (field === 'available') return inner === 'until' ? 'Shown until' : 'Shown from';
  if (field === 'when') return 'Only for some customers';
  if (field === 'terms') return inner ? `Billing: ${inner}` : 'Billing: the terms';
  return nameOf(field);
}

/** How one content of an offer differs from another, in words. */
export function differencesOf(before: OfferContent, after: OfferContent): Difference[] {
  const rows = rowsOf(linesOf(before), linesOf(after));
  return rows.length > 0 ? [{ title: 'The offer', is: 'changed', rows }] : [];
}

function linesOf(content: OfferContent): Lines {
  return new Map(
    (Object.keys(LINES) as (keyof OfferContent)[]).flatMap((field) =>
      (LINES[field] as (value: unknown) => [string, string][])(content[field]),
    ),
  );
}

/** What billing does for a customer who accepts, such as "30 % off for 3 months". A draft may lack some of it. */
export function termsText(terms: Offer['terms']): string {
  if (!terms) return 'nothing: a person applies it';
  const { percent_off, amount_off, currency, duration, months, days, price, coupon } = terms;
  const month = months === undefined ? '' : monthsIn(months, 'en');
  const lasting = { once: 'the next payment', forever: 'for good', repeating: month && `for ${month}` };
  const off =
    percent_off === undefined
      ? amount_off !== undefined && currency !== undefined && amountText(amount_off, currency)
      : `${percent_off} %`;
  if (off) return [off, 'off', duration && lasting[duration]].filter(Boolean).join(' ');
  if (coupon !== undefined) return `the coupon ${coupon}`;
  if (price !== undefined) return `a change to the price ${price}`;
  if (days !== undefined) return `the next payment is ${counted(days, 'day')} later`;
  const chosen = Array.isArray(months) ? ', as the customer chooses' : '';
  return month ? `a pause of ${month}${chosen}` : JSON.stringify(terms);
}
