import { LANGUAGES } from '../../../../src/platform/text/languages';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** What a language is called in English, such as “German (Austria)”, with its tag. */
export function languageName(tag: string): string {
  const name = NAMES.of(tag) ?? tag;
  return name === tag ? tag : `${name} (${tag})`;
}

/**
 * Whether a tag begins with a language. Languages have two or three letters: with more, as in `german`, none is
 * registered (RFC 5646, 2.2.1).
 */
export function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(-|$)/.test(tag);
}

/** The tag of a language of the service by its name in English, or as `languageName` writes it. */
export function languageNamed(name: string): string | undefined {
  const wanted = name.toLowerCase();
  return LANGUAGES.find((tag) => [NAMES.of(tag), languageName(tag)].some((one) => one?.toLowerCase() === wanted));
}
