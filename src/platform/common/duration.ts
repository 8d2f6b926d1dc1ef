/** Such as "2 months". */
const DURATION = /^\s*(\d{1,3}) (minute|hour|day|week|month|year)s?\s*$/i;

/** A duration that was written in English, in another language: "2 months" is "2 Monate". Other words stay as they are. */
export function durationIn(text: string, language: string): string {
  const [, number, unit] = DURATION.exec(text) ?? [];
  if (unit === undefined) return text;
  const style = { style: 'unit', unit: unit.toLowerCase(), unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, style).format(Number(number));
}
