import { canonicalTag, type Language, LANGUAGES, languagesFor, preferredTag } from '../../platform/text/languages';

/** The language that is asked for, or else the one that the browser prefers. */
export function chosenLanguage(asked: string | undefined, accepted: string | undefined): Language {
  const tags = [asked && canonicalTag(asked), preferredTag(accepted)];
  return tags.flatMap((tag) => (tag ? languagesFor(tag, '') : [])).find(isOurs) ?? 'en';
}

/**
 * The language to speak to a customer; English if there are no words in theirs, nor in the flow's own.
 *
 * @param locale the customer's, in canonical form
 * @param own the flow's own, whose words the customer read where there were none in theirs
 */
export function ourLanguageFor(locale: string, own = 'en'): Language {
  return [...languagesFor(locale, own), ...languagesFor(own, 'en')].find(isOurs) ?? 'en';
}

function isOurs(tag: string | undefined): tag is Language {
  return LANGUAGES.includes(tag as Language);
}
