import { type Language, LANGUAGES, languagesFor, preferredTag } from '../../common/languages';
import { DE } from './de';
import { EN } from './en';
import type { ExitWords } from './exit-words';

/** The languages that the page has words in. */
const WORDS: Partial<Record<Language, ExitWords>> = { en: EN, de: DE };

export const EXIT_LANGUAGES = LANGUAGES.filter((language) => language in WORDS);

/** The language that is asked for, or else the one that the browser prefers; English if the page has no words in it. */
export function chosenLanguage(asked: string | undefined, accepted: string | undefined): Language {
  const isOurs = (tag: string | undefined): tag is Language => EXIT_LANGUAGES.includes(tag as Language);
  if (isOurs(asked)) return asked;
  const preferred = preferredTag(accepted);
  return (preferred === undefined ? [] : languagesFor(preferred, 'en')).find(isOurs) ?? 'en';
}

export function wordsIn(language: Language): ExitWords {
  return WORDS[language] ?? EN;
}
