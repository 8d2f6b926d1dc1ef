import { type Language, languagesFor } from '../../src/platform/text/languages';
import type { Messages } from './v1.d';
import de from './words/de.json';
import en from './words/en.json';
import es from './words/es.json';
import fr from './words/fr.json';
import he from './words/he.json';
import it from './words/it.json';
import ja from './words/ja.json';
import nl from './words/nl.json';
import pl from './words/pl.json';
import pt from './words/pt.json';
import sv from './words/sv.json';
import zhHans from './words/zh-hans.json';

const TEXTS: Record<Language, Messages> = { en, de, fr, es, pt, it, nl, pl, sv, ja, 'zh-Hans': zhHans, he };

/** The texts in a language, such as `de` or `fr-CA`; in English if there are none in that language, or it is none. */
export function messagesIn(locale = 'en'): Messages {
  const language = languagesFor(locale, '').find((language): language is Language => language in TEXTS);
  return { ...TEXTS[language ?? 'en'] };
}
