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

/** How many ranges of a header are read. Browsers send up to six. */
const MAX_RANGES = 10;
/** A language range (RFC 9110, 12.5.4) that is no wildcard, with its weight. */
const RANGE = /^\s*([a-z]{2,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([\d.]{1,5})\s*)?$/i;

/** The tag that a header `Accept-Language` prefers among its first ten ranges; undefined if they name none. */
export function preferredTag(header = ''): string | undefined {
  let preferred: string | undefined;
  let most = 0;
  for (const range of header.split(',', MAX_RANGES)) {
    // An exception of Intl costs 4 µs: a header of 16 kB has room for 7,000 ranges.
    const [, tag = '', weight = '1'] = (range.length < 100 && RANGE.exec(range)) || [];
    const quality = Number(weight);
    const canonical = quality > most ? canonicalTag(tag) : undefined;
    if (canonical !== undefined) [preferred, most] = [canonical, quality];
  }
  return preferred;
}

/** Norwegian is `no`, written in one of two ways (BCP 47: `no` is the macrolanguage of `nb` and `nn`). */
const NORWEGIAN: Record<string, string[]> = { nb: ['no'], nn: ['no', 'nb'], no: ['nb', 'nn'] };
/** Behind a language and a script: in whatever country. */
const ANYWHERE = '-*';

/**
 * The languages in which to look for a customer's words, best first: exactly theirs, then without what is special about
 * it: `de` for `de-AT`, `zh-Hans` and `zh` for `zh-CN`; then that of any country, `de-Latn-*`. Where none of them has
 * words, the flow's own are left.
 *
 * @param locale the customer's, in canonical form
 * @param own the flow's own, at which the search ends
 */
export function languagesFor(locale: string, own: string): string[] {
  if (locale === own) return [];
  const { language, script } = new Intl.Locale(locale).maximize();
  const written = `${language}-${script}`;
  const languages = [...new Set([locale, written, language, ...(NORWEGIAN[language] ?? [])])];
  const end = languages.indexOf(own);
  if (end >= 0) return languages.slice(0, end);
  return isWrittenIn(own, language, written) ? languages : [...languages, written + ANYWHERE];
}

/** Whether a tag is of a language in its script, in whatever country. */
function isWrittenIn(tag: string, language: string, written: string): boolean {
  if (!tag.startsWith(`${language}-`)) return false;
  const { language: own, script } = new Intl.Locale(tag).maximize();
  return `${own}-${script}` === written;
}

/**
 * The languages in which to look for an offer's words, best first. The flow's own comes last, before the offer's
 * original text, which may be in another language.
 */
export function languagesOfOffers(locale: string, own: string): string[] {
  return [...languagesFor(locale, own), own];
}

/** The words in the first of the languages that has any; undefined if none has. */
export function inFirst<Words>(
  languages: readonly string[],
  translations: Record<string, Words> | undefined,
  textOf: (words: Words) => string | undefined,
): string | undefined {
  const tag = firstTag(languages, translations, textOf);
  return tag === undefined ? undefined : textOf(translations![tag]);
}

/** The language of these words, as the translations call it; undefined if none has any. */
export function firstTag<Words>(
  languages: readonly string[],
  translations: Record<string, Words> | undefined,
  textOf: (words: Words) => string | undefined,
): string | undefined {
  for (const language of translations ? languages : []) {
    for (const tag of tagsOf(language, translations!)) {
      // No name of an object's own properties is a language tag in canonical form.
      const words = translations![tag];
      const text = words && textOf(words);
      if (text?.trim()) return tag;
    }
  }
  return undefined;
}

/** The tags to look at for one of `languagesFor`. */
function tagsOf(language: string, translations: object): string[] {
  if (!language.endsWith(ANYWHERE)) return [language];
  const written = language.slice(0, -ANYWHERE.length);
  const [spoken] = written.split('-');
  const tags = Object.keys(translations).filter((tag) => isWrittenIn(tag, spoken, written));
  // oxlint-disable-next-line unicorn/no-array-sort -- the library of the widget has no `toSorted`
  return tags.sort();
}

const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'];

/** Whether a language is written from right to left. */
export function isRightToLeft(locale = 'en'): boolean {
  return RIGHT_TO_LEFT.includes(new Intl.Locale(locale).maximize().script ?? '');
}
