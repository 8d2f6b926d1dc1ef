import type { Language } from '../../platform/text/languages';
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

/** The words of a page in another language, as far as there are; those of options by their value. */
export interface PageTranslation {
  title?: string;
  body?: string;
  options?: Record<string, string>;
  comment_labels?: Record<string, string>;
  points?: string[];
  image_alt?: string;
}

type Words = typeof en;

const WORDS: Record<Language, Words> = { en, de, fr, es, pt, it, nl, pl, sv, ja, 'zh-Hans': zhHans, he };

function wordsOf<Node extends keyof Words>(node: Node): Record<Language, Words[Node]> {
  const words = Object.entries(WORDS).map(([language, ofNodes]) => [language, ofNodes[node]]);
  return Object.fromEntries(words) as Record<Language, Words[Node]>;
}

/**
 * The service's own words in the graph of a simple flow, by the key of the node. Records word the answers of earlier
 * sessions by them, too. The console uses this file.
 */
export const SIMPLE_WORDS = { start: wordsOf('start'), reason: wordsOf('reason'), confirm: wordsOf('confirm') };
