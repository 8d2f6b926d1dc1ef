import type { Language } from '../../src/platform/text/languages.ts';
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

/** The dialog's own texts, in twelve languages. All others come from the flow. */
export interface Messages {
  /** While the customer waits. */
  moment: string;
  cancel: string;
  keep: string;
  continue: string;
  close: string;
  retry: string;
  /** A step did not get through. */
  notSent: string;
  /** It is not known whether "keep" or an accepted offer got through. */
  notConfirmed: string;
  /** The session was over, so a new one began. */
  restarted: string;
  /** The heading when the customer stays without an offer. After one, the words of the offer are read. */
  thanks: string;
  /** The label of a comment. */
  comment: string;
  /** Stands behind the label in brackets, unless the comment must be given. */
  optional: string;
  /** Asks whoever goes on without an answer, where there may be several. */
  choose: string;
}

const TEXTS: Record<Language, Messages> = { en, de, fr, es, pt, it, nl, pl, sv, ja, 'zh-Hans': zhHans, he };

/** The texts in a language, such as `de` or `fr-CA`; in English if there are none in that language, or it is none. */
export function messagesIn(locale = 'en'): Messages {
  const { language, script } = new Intl.Locale(locale).maximize();
  const [texts = en] = [`${language}-${script}`, language].flatMap((tag) => TEXTS[tag as Language] ?? []);
  return { ...texts };
}
