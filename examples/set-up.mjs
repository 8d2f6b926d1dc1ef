// Creates two offers and a flow that leads each customer to the offer that fits the reason, and publishes it.
//
//   node examples/set-up.mjs <name>
//
// Run it again with the same name within 24 hours, after it was cut off or for the fun of it: nothing is created twice.
// After a change below, choose another name: a key that comes with another body is refused.
import { createHash } from 'node:crypto';
import { RetentionFlow } from '@retention-flow/client';

const { RETENTION_FLOW_URL: baseUrl = 'http://127.0.0.1:3000', RETENTION_FLOW_API_KEY: apiKey } = process.env;
const name = process.argv[2];
if (!apiKey || !name) throw new Error('Usage: RETENTION_FLOW_API_KEY=rf_live_… node examples/set-up.mjs <name>');

const rf = new RetentionFlow({ baseUrl, apiKey });

/** The same key each time it is made for the same thing of the same name. */
const once = (thing) => ({ idempotencyKey: createHash('sha256').update(`${name}/${thing}`).digest('hex') });

// `terms` say to a program what the texts say to people: Stripe gets them (docs/billing.md), or apply-offers.mjs.
const discount = await rf.offers.create(
  {
    name: 'Half price for three months',
    offer_type: 'discount_percentage',
    offer_value: '50%',
    offer_duration: '3 months',
    heading: 'Stay for half the price',
    body: 'Everything stays as it is, for half the price over the next three months.',
    cta_accept: 'Take half price',
    terms: { percent_off: 50, duration: 'repeating', months: 3 },
  },
  once('discount'),
);
const pause = await rf.offers.create(
  {
    name: 'A pause of a month',
    offer_type: 'pause_subscription',
    offer_duration: '1 month',
    heading: 'Take a break instead',
    body: 'You pay nothing for a month. Come back when you have more time.',
    cta_accept: 'Take a break',
    terms: { months: 1 },
  },
  once('pause'),
);

const flow = await rf.flows.create(
  {
    name,
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/account/cancel',
    estimated_monthly_value: 49,
    flow_mode: 'advanced',
    definition: {
      entry: 'start',
      nodes: [
        {
          key: 'start',
          type: 'start',
          config: { title: 'Before you go', body: 'Tell us why. It takes a minute.' },
          next: 'reason',
        },
        {
          key: 'reason',
          type: 'survey',
          config: {
            title: 'Why are you leaving?',
            comment: 'optional',
            options: [
              { value: 'too_expensive', label: 'Too expensive', next: 'discount' },
              { value: 'not_using', label: 'I do not use it enough', next: 'pause' },
              { value: 'other', label: 'Something else' },
            ],
          },
          next: 'confirm',
        },
        { key: 'discount', type: 'offer', config: { offer_id: discount.id }, next: 'confirm' },
        // Somebody who does not want a break may still want to pay less.
        { key: 'pause', type: 'offer', config: { offer_id: pause.id }, next: 'discount' },
        { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } },
      ],
    },
  },
  once('flow'),
);
await rf.flows.update(flow.id, { status: 'published' });

console.log(`The flow is published. See it at ${baseUrl}/demo?flow=${flow.slug}, and put it on your page:

<script async src="${baseUrl}/widget/v1.js"></script>
<a href="https://acme.example/account/cancel" data-retention-flow="${flow.slug}">Cancel subscription</a>`);
