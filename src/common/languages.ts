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
  if (tag.length > MAX_TAG) return undefined;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical.length > MAX_TAG ? undefined : canonical;
  } catch {
    return undefined;
  }
}

/** The tag that a header `Accept-Language` prefers; undefined if it names none. */
export function preferredTag(header = ''): string | undefined {
  const ranges = header.split(',').map((range) => {
    const [tag, ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
    return { tag: canonicalTag(tag), quality: Number(quality) };
  });
  return ranges.filter(({ tag, quality }) => tag && quality > 0).toSorted((a, b) => b.quality - a.quality)[0]?.tag;
}

/**
 * The languages in which to look for a customer's words, best first: exactly theirs, then without what is special about it:
 * `de` for `de-AT`, `zh-Hans` and `zh` for `zh-CN`. Where none of them has words, the flow's own are left.
 *
 * @param locale the customer's, in canonical form
 * @param own the flow's own, at which the search ends
 */
export function languagesFor(locale: string, own: string): string[] {
  const { language, script } = new Intl.Locale(locale).maximize();
  const languages = [...new Set([locale, `${language}-${script}`, language])];
  const end = languages.indexOf(own);
  return end < 0 ? languages : languages.slice(0, end);
}

/** What the first of the languages has that has something filled; undefined if none has. */
export function inFirst<Words>(
  languages: readonly string[],
  translations: Record<string, Words | undefined> | undefined,
  textOf: (words: Words) => string | undefined,
): string | undefined {
  if (!translations) return undefined;
  for (const language of languages) {
    const words = Object.hasOwn(translations, language) ? translations[language] : undefined;
    const text = words && textOf(words);
    if (text?.trim()) return text;
  }
  return undefined;
}

const RIGHT_TO_LEFT = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'];

/** Whether a language is written from right to left. */
export function isRightToLeft(locale: string): boolean {
  return RIGHT_TO_LEFT.includes(new Intl.Locale(locale).maximize().script ?? '');
}
