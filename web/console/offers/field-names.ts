import type { OfferText } from '../../../src/offers/fields';
import type { PlainField } from './offer-draft';

/** What the console calls the fields of an offer. */
export const FIELD_NAMES = {
  name: 'Name',
  offer_type: 'Type',
  offer_value: 'Value',
  offer_duration: 'Duration',
  heading: 'Heading',
  body: 'Body',
  cta_accept: 'Button to accept',
  cta_decline: 'Button to decline',
  accepted_title: 'Title after accepting',
  accepted_body: 'Text after accepting',
  accept_url: 'Page after accepting',
} satisfies Record<PlainField | OfferText, string>;
