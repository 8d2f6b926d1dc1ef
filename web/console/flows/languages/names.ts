const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });

/** What a language is called in English, such as “German (Austria)”, with its tag. */
export function languageName(tag: string): string {
  const name = NAMES.of(tag) ?? tag;
  return name === tag ? tag : `${name} (${tag})`;
}
