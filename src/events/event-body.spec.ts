import { NO_FULFILMENT } from '../billing/dto/fulfilment.dto';
import { composeDefinition } from '../flows/graph/simple-definition';
import type { EventType } from '../outbox/event-types';
import { type SessionEventData, type SessionRows, sessionBodyOf } from './event-body';

const at = (second: number) => new Date(Date.UTC(2027, 0, 31, 12, 0, second));

const event = (type: EventType, second: number) => {
  return { type, livemode: true, created_at: at(second) };
};

const OFFER = {
  id: 'offer',
  name: 'Half price',
  offer_type: 'discount_percentage' as const,
  offer_value: '50%',
  offer_duration: '',
  heading: 'Stay',
  body: '',
  cta_accept: 'Yes',
  cta_decline: 'No',
  metadata: { stripe_coupon: 'half' } as Record<string, string>,
  outcome: 'saved' as const,
  kind: null,
  data: null,
};

/** A session that began at second 0, answered at 1 and ended at 3. */
function rows({
  comment = 'Too dear',
  attributes = {},
  answers = 1,
  metadata = OFFER.metadata,
}: {
  comment?: string;
  attributes?: Record<string, string>;
  answers?: number;
  metadata?: Record<string, string>;
} = {}): SessionRows {
  return {
    fulfilment: NO_FULFILMENT,
    session: {
      id: 'session',
      flow_id: 'flow',
      flow_version: 1,
      source: null,
      locale: 'en',
      status: 'saved',
      accepted_offer: { ...OFFER, accept_url: null, metadata, limit: null, terms: null },
      customer_id: 'cus_4711',
      customer: { email: 'ada@example.com', attributes },
      customer_verified: false,
      subscription_id: null,
      billing_customer_id: null,
      facts: null,
      created_at: at(0),
      updated_at: at(3),
    },
    steps: [
      ...Array.from({ length: answers }, () => ({
        node_key: 'reason',
        option: 'too_expensive',
        comment,
        result: null,
        created_at: at(1),
      })),
      { node_key: 'offer-1', option: null, comment: null, result: null, created_at: at(3) },
    ],
    version: {
      name: 'Leaving Acme Pro',
      flow_mode: 'simple',
      survey: null,
      locale: 'en',
      definition: composeDefinition([]),
    },
  };
}

/** All that a workspace and a customer can write, in characters that take the most bytes in JSON. */
function longest(): SessionRows {
  const long = (length: number) => '\u0001'.repeat(length);
  const metadata = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}`, 'x'.repeat(490)]));
  const told = rows({ comment: long(5000), attributes: { plan: long(1000) }, answers: 50, metadata });
  const { accepted_offer: offer, customer } = told.session;
  Object.assign(offer!, { name: long(200), offer_value: long(200), offer_duration: long(200), heading: long(200) });
  Object.assign(offer!, { body: long(5000), accept_url: `https://acme.example/${'😀'.repeat(2027)}` });
  Object.assign(offer!, { kind: 'x'.repeat(64), data: 'x'.repeat(4094) });
  for (const step of told.steps) step.result = 'x'.repeat(2046);
  Object.assign(customer!, { email: `a@${'ä'.repeat(252)}` });
  told.version = { ...told.version, name: long(200) };
  return told;
}

const dataOf = (type: EventType, second: number, told = rows()) =>
  sessionBodyOf(event(type, second), told).data as SessionEventData;

describe('The body of an event of a session', () => {
  it('tells of the customer, the reason, the answers and the offer as it was shown', () => {
    expect(JSON.parse(JSON.stringify(sessionBodyOf(event('session.saved', 3), rows())))).toEqual({
      type: 'session.saved',
      livemode: true,
      timestamp: '2027-01-31T12:00:03.000Z',
      data: {
        session: {
          id: 'session',
          status: 'saved',
          flow_id: 'flow',
          flow_version: 1,
          flow_name: 'Leaving Acme Pro',
          source: null,
          locale: 'en',
          started_at: '2027-01-31T12:00:00.000Z',
          ended_at: '2027-01-31T12:00:03.000Z',
          customer: { id: 'cus_4711', email: 'ada@example.com', attributes: {}, verified: false, subscription: null },
          facts: {},
        },
        reason: 'offer_accepted',
        answers: [
          {
            node_key: 'reason',
            option: 'too_expensive',
            label: 'Too expensive',
            own_label: 'Too expensive',
            comment: 'Too dear',
          },
        ],
        results: {},
        accepted_offer: {
          id: 'offer',
          name: 'Half price',
          offer_type: 'discount_percentage',
          offer_value: '50%',
          offer_duration: '',
          heading: 'Stay',
          body: '',
          accept_url: null,
          metadata: { stripe_coupon: 'half' },
          terms: null,
          outcome: 'saved',
          kind: null,
          data: null,
        },
      },
    });
  });

  it('never contains the session_id', () => {
    expect(JSON.stringify(sessionBodyOf(event('session.saved', 3), rows()))).not.toContain('credential');
  });

  it('is as of the moment of the event, however late it is sent', () => {
    expect(dataOf('session.started', 0)).toMatchObject({
      session: { status: 'in_progress', ended_at: null },
      answers: [],
      accepted_offer: null,
    });
    expect(dataOf('session.abandoned', 2)).toMatchObject({
      session: { status: 'abandoned', ended_at: null },
      answers: [{ option: 'too_expensive' }],
      accepted_offer: null,
    });
  });

  it('says that the subscription was kept if no offer was accepted', () => {
    const told = rows();
    told.session.accepted_offer = null;
    expect(dataOf('session.saved', 3, told)).toMatchObject({ reason: 'kept', accepted_offer: null });
  });

  it('has no customer and no comments after erasing', () => {
    const told = rows();
    Object.assign(told.session, { customer_id: null, customer: null });
    for (const step of told.steps) step.comment = null;
    expect(dataOf('session.saved', 3, told)).toMatchObject({
      session: { customer: null },
      answers: [{ option: 'too_expensive', comment: null }],
    });
  });

  it.each([
    ['a long comment', rows({ comment: '😀'.repeat(5000) })],
    ['50 long comments', rows({ comment: '😀'.repeat(5000), answers: 50 })],
    [
      'large attributes',
      rows({
        attributes: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.repeat(150), '"'.repeat(100)])),
      }),
    ],
    ['50 long comments, large metadata and everything in the longest script', longest()],
  ])('stays below 20 kB with %s, and says that it was cut', (_, told) => {
    const body = JSON.stringify(sessionBodyOf(event('session.saved', 3), told));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
    expect(body.isWellFormed()).toBe(true);
    const data = dataOf('session.saved', 3, told);
    expect(data).toMatchObject({ truncated: true, session: { customer: { id: 'cus_4711' } } });
    expect(data.answers.at(-1)!.comment!.length).toBeGreaterThan(0);
    const { metadata, accept_url } = told.session.accepted_offer!;
    expect(data.accepted_offer).toMatchObject({ metadata, accept_url });
  });
});
