import { jsonPointer } from '../../platform/api/problems/json-pointer';
import { LANGUAGES } from '../../platform/text/languages';
import { monthsIn } from '../../platform/common/duration';
import { amountText, decimalsOf } from '../../platform/common/minor-units';
import { OFFER_TEXTS, type OfferText } from '../fields';
import { type OfferTerms, type OfferTranslation, type OfferType } from './types';

/** What customers read of an offer, and what they get. The console uses this file, too. */
type Worded = Record<'offer_value' | 'offer_duration' | OfferText, string> & {
  offer_type: OfferType;
  terms: OfferTerms | null;
  translations: Record<string, OfferTranslation>;
};

/** What terms promise in numbers: how texts say it, and what it is, by what the customer chooses. */
interface Promised {
  /** Every such number in a text. */
  found: (text: string) => number[];
  is: number[];
  /** What the terms say, for people. */
  words: string;
}

/** A number that is no part of a longer one: bounded, because a text may be 5,000 digits. */
const NUMBER = String.raw`(?<![\d.,])(\d{1,6}(?:[.,]\d{1,4})?)`;
const PERCENTAGE = new RegExp(String.raw`${NUMBER}\s{0,3}[%٪]|[%٪]\s{0,3}${NUMBER}`, 'g');
/** An amount may be in groups of three digits: 1,234.50 and 1 234,50. */
const AMOUNT = String.raw`(?<![\d.,])(\d{1,3}(?:[.,\s'’]\d{3}){1,4}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,3})?)(?!\d)`;

/**
 * Texts that say another number than the terms, such as "Take 30 % off" where the terms give 35 %. A text that also
 * says the right number is fine, and so is one that says none.
 */
export function contradictionsOf(offer: Worded): { pointer: string; message: string }[] {
  const promised = promisesOf(offer);
  const texts = [
    ...(['offer_value', 'offer_duration', ...OFFER_TEXTS] as const).map((field) => [jsonPointer(field), offer[field]]),
    ...Object.entries(offer.translations).flatMap(([language, words]) =>
      OFFER_TEXTS.map((field) => [jsonPointer('translations', language, field), words[field] ?? '']),
    ),
  ];
  return texts.flatMap(([pointer, text]) =>
    promised.flatMap(({ found, is, words }) => {
      const numbers = found(text);
      return numbers.length > 0 && !is.some((one) => numbers.includes(one))
        ? [{ pointer, message: `says ${numbers.join(' and ')}, but the terms say ${words}` }]
        : [];
    }),
  );
}

function promisesOf({ offer_type, terms }: Worded): Promised[] {
  const { percent_off, amount_off, currency, months, days } = terms ?? {};
  const promises: Promised[] = [];
  if (percent_off !== undefined) {
    promises.push({ found: (text) => numbersIn(text, PERCENTAGE), is: [percent_off], words: `${percent_off} %` });
  }
  if (amount_off !== undefined && currency !== undefined) {
    const pattern = amountsOf(currency);
    promises.push({
      found: (text) => numbersIn(text, pattern, decimalsOf(currency)),
      is: [amount_off / 10 ** decimalsOf(currency)],
      words: amountText(amount_off, currency),
    });
  }
  if (months !== undefined) {
    promises.push({
      found: (text) => spansIn(text, 'month'),
      is: [months].flat(),
      words: monthsIn(months, 'en'),
    });
  }
  if (days !== undefined && offer_type === 'trial_extension') {
    promises.push({ found: (text) => spansIn(text, 'day'), is: [days], words: spanOf(days, 'day') });
  }
  return promises;
}

function numbersIn(text: string, pattern: RegExp, decimals = 4): number[] {
  return [...text.matchAll(pattern)].map(([, before, after]) => valueOf(before ?? after, decimals));
}

/** What a number says in any country: more digits than decimals behind the last sign are a group of thousands. */
function valueOf(number: string, decimals: number): number {
  const [, whole = number, fraction = ''] = /^(.*)[.,](\d+)$/.exec(number) ?? [];
  const digits = (text: string) => text.replace(/\D/g, '');
  return fraction && fraction.length <= decimals ? Number(`${digits(whole)}.${fraction}`) : Number(digits(number));
}

/** Every number that is followed or preceded by the sign or the code of a currency. */
function amountsOf(currency: string): RegExp {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')!.value;
  const marks = [...new Set([sign, currency])].map((mark) => mark.replace(/[$.]/g, '\\$&')).join('|');
  return new RegExp(`(?:${marks})\\s{0,3}${AMOUNT}|${AMOUNT}\\s{0,3}(?:${marks})`, 'gu');
}

/** The numbers before a word for months or days, such as 3 in "3 months", in any of the languages. */
function spansIn(text: string, unit: 'month' | 'day'): number[] {
  return [...text.matchAll(/(?<![\d.,])(\d{1,4})\s{0,3}(\p{L}{1,30})/gu)]
    .filter(([, , word]) => wordsFor(unit).some((known) => word.toLowerCase().startsWith(known)))
    .map(([, number]) => Number(number));
}

function spanOf(number: number, unit: 'month' | 'day'): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(number);
}

const WORDS: { month?: string[]; day?: string[] } = {};

/** How the languages call months or days, after any number. */
function wordsFor(unit: 'month' | 'day'): string[] {
  return (WORDS[unit] ??= [
    ...new Set(
      LANGUAGES.flatMap((language) => {
        const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
        const wordOf = (number: number) => format.formatToParts(number).find(({ type }) => type === 'unit')?.value;
        return [1, 2, 5, 12].flatMap((number) => wordOf(number)?.trim().toLowerCase() ?? []);
      }),
    ),
  ]);
}
