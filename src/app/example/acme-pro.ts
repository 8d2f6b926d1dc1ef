/** The product and the offers of the example, and of its made-up past. */

export const PRODUCT = {
  product_name: 'Acme Pro',
  cancellation_url: 'https://acme.example/cancel',
  estimated_monthly_value: 49,
};

export const HALF_PRICE = {
  name: 'Half price for three months',
  offer_type: 'discount_percentage' as const,
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half the price',
  body: 'Keep everything you have, for half the price over the next three months.',
  cta_accept: 'Take 50% off',
  terms: { percent_off: 50, duration: 'repeating' as const, months: 3 },
};

export const PAUSE = {
  name: 'Pause for a month',
  offer_type: 'pause_subscription' as const,
  offer_duration: '1 month',
  heading: 'Take a break instead',
  body: 'We stop billing for a month and keep everything as it is.',
  cta_accept: 'Pause my subscription',
  terms: { months: 1 },
};
