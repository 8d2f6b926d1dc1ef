/** An offer with a value in every field. */
export const FULL_OFFER = {
  name: '30 % off',
  offer_type: 'discount_fixed',
  offer_value: '30 €',
  offer_duration: '3 months',
  heading: 'Stay for less',
  body: 'Keep everything.\nPay less.',
  cta_accept: 'Take it',
  cta_decline: 'No',
  accepted_title: 'Good to have you',
  accepted_body: 'You pay {{price_then}} until {{until}}. See you!',
  accept_url: 'https://acme.example/upgrade?from=flow',
  metadata: { stripe_coupon: 'thirty' },
  limit: { accepted: 2, within_days: 365 },
  image: null,
  points: ['Your 12 projects', 'The price of {{value}}'],
  outcome: 'saved',
  kind: null,
  data: null,
  available: { from: '2027-11-26T00:00:00.000Z', until: null },
  when: { all: [{ fact: 'months', is: '>=', value: 6 }] },
};

/** An id of no offer. */
export const UNKNOWN_ID = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';
