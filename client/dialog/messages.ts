import type { Language } from '../../src/platform/text/languages.ts';
import de from './words/de.json' with { type: 'json' };
import en from './words/en.json' with { type: 'json' };
import es from './words/es.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import he from './words/he.json' with { type: 'json' };
import it from './words/it.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };
import nl from './words/nl.json' with { type: 'json' };
import pl from './words/pl.json' with { type: 'json' };
import pt from './words/pt.json' with { type: 'json' };
import sv from './words/sv.json' with { type: 'json' };
import zhHans from './words/zh-hans.json' with { type: 'json' };

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
