import { type FulfilmentDto, NO_FULFILMENT } from '../billing/dto/fulfilment.dto';
import type { SessionEventType } from '../outbox/event-types';
import type { Effect } from '../sessions/effect';
import { type EventBody, type SessionRows, sessionBodyOf } from './event-body';

/** The session in the documentation and in samples: its customer answered, and accepted an offer. */
export const SAMPLE_SESSION = {
  id: '019a9f3c-a1b2-7c3d-9e4f-5a6b7c8d9e0f',
  flow_id: '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a',
  flow_version: 1,
  source: null,
  locale: 'en',
  status: 'saved',
  customer_id: 'cus_4711',
  customer: { email: 'ada@example.com', attributes: { plan: 'pro', seats: 12 } },
  customer_verified: true,
  subscription_id: 'sub_1Q2w3E',
  billing_customer_id: 'cus_1Q2w3E',
  facts: { plan: 'Pro', amount: 2900, currency: 'EUR', interval: 'month', months: 7, status: 'active' },
  accepted_offer: {
    id: '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b',
    name: '30 % off for three months',
    offer_type: 'discount_percentage',
    offer_value: '30%',
    offer_duration: '3 months',
    heading: 'Stay for 30 % less',
    body: 'Keep everything you have, for 30 % less over the next three months.',
    cta_accept: 'Accept offer',
    cta_decline: 'No thanks',
    accept_url: null,
    metadata: { stripe_coupon: 'stay-30' },
    limit: null,
    terms: { percent_off: 30, duration: 'repeating', months: 3 },
    outcome: 'saved',
    kind: null,
    data: null,
  },
} satisfies Partial<SessionRows['session']>;

const ANSWER = { node_key: 'reason', option: 'too_expensive', comment: 'Twice the price.', result: null };
const SURVEY = {
  key: ANSWER.node_key,
  type: 'survey' as const,
  config: { title: 'Why are you leaving?', options: [{ value: ANSWER.option, label: 'Too expensive' }] },
  next: 'confirm',
};
const VERSION: SessionRows['version'] = {
  name: 'Leaving Acme Pro',
  flow_mode: 'advanced',
  locale: SAMPLE_SESSION.locale,
  survey: null,
  definition: { entry: SURVEY.key, nodes: [SURVEY] },
};
const SUBSCRIPTION_URL = 'https://dashboard.stripe.com/subscriptions/sub_1Q2w3E';
const EFFECT: Effect = {
  kind: 'discount',
  from: '2026-12-08T09:30:00.000Z',
  until: '2027-03-08T09:30:00.000Z',
  currency: 'EUR',
  price_now: 2900,
  price_then: 2030,
};
const FULFILMENTS: Partial<Record<SessionEventType, Omit<FulfilmentDto, 'at'>>> = {
  'fulfilment.applied': {
    state: 'applied',
    carried_out_by: 'service',
    effect: EFFECT,
    detail: null,
    url: SUBSCRIPTION_URL,
  },
  'offer.ending': { state: 'applied', carried_out_by: 'service', effect: EFFECT, detail: null, url: SUBSCRIPTION_URL },
  'fulfilment.failed': {
    state: 'failed',
    carried_out_by: 'service',
    effect: null,
    detail: 'Stripe: No such coupon.',
    url: SUBSCRIPTION_URL,
  },
  'fulfilment.manual': {
    state: 'manual',
    carried_out_by: 'person',
    effect: null,
    detail: 'The token of the session named no subscription.',
    url: null,
  },
};
const LASTS_MS = 60_000;

/** The body of an event of that session, which happened at a time. It is made as those of real sessions are. */
export function sampleSessionBody(type: SessionEventType, at: Date, livemode = true): EventBody {
  const isStart = type === 'session.started';
  const fulfilment = FULFILMENTS[type];
  const started = isStart ? at : new Date(at.getTime() - LASTS_MS);
  return sessionBodyOf(
    { type, livemode, created_at: at },
    {
      session: { ...SAMPLE_SESSION, created_at: started, updated_at: at },
      steps: isStart ? [] : [{ ...ANSWER, created_at: started }],
      version: VERSION,
      fulfilment: fulfilment ? { ...fulfilment, at } : NO_FULFILMENT,
    },
  );
}
