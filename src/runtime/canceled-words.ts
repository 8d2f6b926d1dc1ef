import { inFirst, languagesFor, languagesOfOffers } from '../platform/text/languages';
import { type Attributes, resolve } from '../platform/text/placeholders';
import { CANCELED_TEXTS, type CanceledWords } from '../flows/languages/canceled-words';
import type { FlowContent } from '../flows/versions/flow-version.entity';
import type { Closing } from '../offers/shown-offer';
import { closingWord } from '../offers/texts/closing-words';
import { dayIn } from '../sessions/eligibility';

/** A customer who has canceled. */
interface Canceled {
  version: FlowContent;
  locale: string;
  attributes: Attributes;
}

/** The service's own words in place of those of a flow. */
const OWN = { canceled_title: 'canceled', canceled_body: 'canceled_until' } as const;

/**
 * What a customer reads who has canceled: the words of the flow, or else those of the service.
 *
 * @param end when the subscription ends, as an ISO time
 */
export function canceledWords({ version, locale, attributes }: Canceled, end: string): Closing {
  const { product_name, translations } = version;
  const values = { product_name, until: dayIn(end, locale) };
  const languages = languagesFor(locale, version.locale);
  const [title, body] = CANCELED_TEXTS.map((field) => {
    const translated = inFirst<CanceledWords>(languages, translations, (words) => words[field]);
    const text = resolve(translated ?? version[field], attributes, values);
    return text.trim() === ''
      ? resolve(closingWord(OWN[field], languagesOfOffers(locale, version.locale)), values)
      : text;
  });
  return { title, body };
}
