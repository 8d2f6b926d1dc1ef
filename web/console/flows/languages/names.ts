import { LANGUAGES } from '../../../../src/platform/common/languages';

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** What a language is called in English, such as “German (Austria)”, with its tag. */
export function languageName(tag: string): string {
  const name = NAMES.of(tag) ?? tag;
  return name === tag ? tag : `${name} (${tag})`;
}

/** Whether a tag is that of a language that has a name: `german` is a tag, but of none. */
export function isNamed(tag: string): boolean {
  // A tag of three letters may be of a language that this browser does not know.
  return NAMES.of(tag) !== tag || /^[a-z]{2,3}(-|$)/.test(tag);
}

/** The tag of a language of the service by its name in English, or as `languageName` writes it. */
export function languageNamed(name: string): string | undefined {
  const wanted = name.toLowerCase();
  return LANGUAGES.find((tag) => [NAMES.of(tag), languageName(tag)].some((one) => one?.toLowerCase() === wanted));
}
