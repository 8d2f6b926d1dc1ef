/** The choice of a language. The widget and the console use this file, so it imports nothing. */

/** The languages that the service itself has words in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'sv', 'ja', 'zh-Hans', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The most languages that a flow and its offers are translated into. */
export const MAX_LANGUAGES = 30;
/** The longest language tag. */
export const MAX_TAG = 35;

/** A language tag (BCP 47) in canonical form: `de-AT` for `DE-at`; undefined if it is none. */
export function canonicalTag(tag: string): string | undefined {
  // Of many starts nobody knows the language: an exception each would cost more than all else here.
  if (tag === '' || tag.length > MAX_TAG) return undefined;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical.length > MAX_TAG ? undefined : canonical;
  } catch {
    return undefined;
  }
}

/** The tag that a header `Accept-Language` prefers; undefined if it names none. */
export function preferredTag(header = ''): string | undefined {
  let preferred: string | undefined;
  let most = 0;
  for (const range of header.split(',')) {
    const [tag, ...parameters] = range.split(';').map((part) => part.trim());
    const quality = Number(parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? 1);
    const canonical = quality > most ? canonicalTag(tag) : undefined;
    if (canonical !== undefined) [preferred, most] = [canonical, quality];
  }
  return preferred;
}

/**
 * The languages in which to look for a customer's words, best first: exactly theirs, then without what is special about it:
 * `de` for `de-AT`, `zh-Hans` and `zh` for `zh-CN`. Where none of them has words, the flow's own are left.
 *
 * @param locale the customer's, in canonical form
 * @param own the flow's own, at which the search ends
 */
export function languagesFor(locale: string, own: string): string[] {
  if (locale === own) return [];
  const { language, script } = new Intl.Locale(locale).maximize();
  const languages = [...new Set([locale, `${language}-${script}`, language])];
  const end = languages.indexOf(own);
  return end < 0 ? languages : languages.slice(0, end);
}

/**
 * The languages in which to look for the words of an offer, best first. It may be written in another language than the flow: before
 * those that it is written in, its words in the flow's own are left.
 */
export function languagesOfOffers(locale: string, own: string): string[] {
  return [...languagesFor(locale, own), own];
}

/** What the first of the languages has that has something filled; undefined if none has. */
export function inFirst<Words>(
  languages: readonly string[],
  translations: Record<string, Words> | undefined,
  textOf: (words: Words) => string | undefined,
): string | undefined {
  for (const language of languages) {
    // No name of an object's own properties is a language tag in canonical form.
    const words = translations?.[language];
    const text = words && textOf(words);
    if (text?.trim()) return text;
  }
  return undefined;
}

const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'];

/** Whether a language is written from right to left. */
export function isRightToLeft(locale = 'en'): boolean {
  return RIGHT_TO_LEFT.includes(new Intl.Locale(locale).maximize().script ?? '');
}
