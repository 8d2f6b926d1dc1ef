/** A duration in words, such as "2 months", or "1, 2, or 3 months". */
const DURATION = /^\s*(\d{1,3}(?:(?:, | or |, or )\d{1,3}){0,3}) (minute|hour|day|week|month|year)s?\s*$/i;

/**
 * A duration that was written in English, in another language: "2 months" is "2 Monate". Other words stay as they are.
 */
export function durationIn(text: string, language: string): string {
  const [, numbers = '', unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? text : spelled(numbers.match(/\d+/g)!.map(Number), unit.toLowerCase(), language);
}

/** Such as "2 months", or of several "1, 2, or 3 months". */
export function monthsIn(months: number | number[], language: string): string {
  return spelled([months].flat(), 'month', language);
}

function spelled(numbers: number[], unit: string, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  const spans = numbers.map((number) => format.format(number));
  const last = spans.at(-1)!;
  if (spans.length === 1) return last;
  const digits = numbers.map((number) => new Intl.NumberFormat(language).format(number));
  const either = new Intl.ListFormat(language, { type: 'disjunction' });
  // Hebrew says two months without a number.
  return last.includes(digits.at(-1)!) ? last.replace(digits.at(-1)!, either.format(digits)) : either.format(spans);
}
