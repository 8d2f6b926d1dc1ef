import { resolve } from '../../../src/platform/text/placeholders';
import type { OfferDraft } from './offer-draft';

/** Makes texts of an offer say its value and duration, as customers read them. */
export const textsOf =
  ({ offer_value: value, offer_duration: duration }: Pick<OfferDraft, 'offer_value' | 'offer_duration'>) =>
  (text: string): string =>
    resolve(text, {}, { value, duration });
