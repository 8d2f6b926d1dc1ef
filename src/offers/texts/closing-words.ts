import { inFirst, type Language } from '../../platform/text/languages';
import type { Attributes } from '../../platform/text/placeholders';
import type { OfferType } from '../terms/types';
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

type Words = typeof en;

const WORDS: Record<Language, Words> = { en, de, fr, es, pt, it, nl, pl, sv, ja, 'zh-Hans': zhHans, he };

/** The service's own words for customers at the end, in the first of the languages that it has. */
export function closingWord(name: keyof Words, languages: readonly string[]): string {
  return inFirst(languages, WORDS as Record<string, Words>, (words) => words[name]) ?? en[name];
}

/**
 * Which words say what billing does for an offer, as far as its price and its day are known; undefined if it does
 * nothing.
 */
export function wordForChange(type: OfferType, { price_then, changes_on, until }: Attributes): keyof Words | undefined {
  switch (type) {
    case 'pause_subscription':
      return until ? 'pause_until' : 'pause';
    case 'trial_extension':
      return until ? 'extension_until' : 'extension';
    case 'plan_change':
      return changes_on ? 'plan_change_from' : 'plan_change';
    case 'custom':
      return undefined;
    default:
      if (price_then && until) return 'discount_until';
      return price_then ? 'discount_from_now' : 'discount';
  }
}
