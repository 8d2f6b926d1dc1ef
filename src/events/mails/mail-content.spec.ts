import type { MailContent } from '../../platform/mail/content';
import { htmlOf, textOf } from '../../platform/mail/layout';
import type { SessionEventData } from '../event-body';
import { endingContent, sessionContent, type SummaryCount, summaryContent } from './mail-content';

const TIME = '2027-01-31T12:00:03.250Z';

const OFFER = {
  id: 'offer',
  name: '50 % off for three months',
  offer_type: 'discount_percentage' as const,
  offer_value: '50%',
  offer_duration: '3 months',
  heading: 'Stay for half the price',
  body: 'Keep everything you have.',
  accept_url: null,
  metadata: { stripe_coupon: 'coupon of the workspace' },
  terms: null,
  outcome: 'saved' as const,
  kind: null,
  data: null,
};

function session(
  status: 'saved' | 'canceled' | 'contacted',
  changes: Partial<SessionEventData> = {},
): SessionEventData {
  return {
    session: {
      id: 'record',
      status,
      flow_id: 'flow',
      flow_version: 1,
      flow_name: 'Leaving Acme Pro',
      source: null,
      locale: 'en',
      started_at: new Date(TIME),
      ended_at: new Date(TIME),
      customer: {
        id: 'cus_4711',
        email: 'ada@example.com',
        attributes: { plan: 'pro' },
        verified: false,
        subscription: null,
      },
      facts: {},
    },
    answers: [
      {
        node_key: 'reason',
        option: 'too_expensive',
        label: 'Too expensive',
        own_label: 'Too expensive',
        comment: 'Too dear.\nSorry!',
      },
    ],
    results: {},
    accepted_offer: null,
    ...changes,
  };
}

const saved = session('saved', { accepted_offer: OFFER, reason: 'offer_accepted' });
const mailOf = (data: SessionEventData, name = 'Leaving Acme Pro') => sessionContent(name, TIME, data);
/** Everything that is sent. */
const everything = (content: MailContent) => [content.subject, textOf(content), htmlOf(content)];

describe('The mail about a session', () => {
  it('has the outcome, the flow, the offer or the reason in its subject', () => {
    const subjects = [saved, session('saved'), session('canceled'), session('canceled', { answers: [] })].map(
      (data) => mailOf(data).subject,
    );
    expect(subjects).toEqual([
      'Saved: Leaving Acme Pro (50 % off for three months)',
      'Saved: Leaving Acme Pro (no offer accepted)',
      'Went on to cancel: Leaving Acme Pro (Too expensive)',
      'Went on to cancel: Leaving Acme Pro',
    ]);
  });

  it('tells all of it in plain text', () => {
    expect(textOf(mailOf(saved))).toBe(`Saved: Leaving Acme Pro

The customer accepted an offer.

Offer accepted:
  50 % off for three months
  50%, 3 months

Reason:
  Too expensive
  > Too dear.
  > Sorry!

Customer:
  cus_4711

Time:
  2027-01-31 12:00:03 UTC

-- 
This mail goes to the notification address of the flow.
`);
  });

  it('tells the same in HTML', () => {
    const html = htmlOf(mailOf(saved));
    for (const text of [
      '50 % off for three months',
      'Too expensive',
      'Too dear.<br>Sorry!',
      'cus_4711',
      '12:00:03 UTC',
    ]) {
      expect(html).toContain(text);
    }
  });

  it('says of the customer only the id, and nothing after erasing', () => {
    for (const text of everything(mailOf(saved))) expect(text).not.toMatch(/ada@example|plan|record/);
    const erased = session('canceled', { session: { ...saved.session, customer: null } });
    for (const text of everything(mailOf(erased))) expect(text).not.toMatch(/cus_4711|Customer/);
  });

  it('says whether the site signed who the customer is', () => {
    const customer = { ...saved.session.customer!, verified: true };
    const verified = session('saved', { session: { ...saved.session, customer } });
    expect(textOf(mailOf(verified))).toContain('Customer:\n  cus_4711 (verified)\n');
  });

  it('has nothing of the metadata of the offer', () => {
    for (const text of everything(mailOf(saved))) expect(text).not.toMatch(/coupon/);
  });

  it('has every answer of a longer flow', () => {
    const answers = ['Too expensive', 'Half the price'].map((label) => {
      return { node_key: 'node', option: 'option', label, own_label: label, comment: null };
    });
    expect(textOf(mailOf(session('canceled', { answers })))).toContain(
      'Reason:\n  Too expensive\n\nFurther answer:\n  Half the price\n',
    );
  });

  it('loads nothing, links to nothing, and knows dark and light', () => {
    const html = htmlOf(mailOf(saved));
    expect(html).not.toMatch(/<(a|img|link|style|script)\b|url\(|https?:/);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });
});

it('The mail about an offer that ends names the day, the prices and the customer', () => {
  const effect = {
    kind: 'discount' as const,
    from: '2026-12-08T09:30:00.000Z',
    until: '2027-03-08T09:30:00.000Z',
    currency: 'EUR',
    price_now: 2900,
    price_then: 2030,
  };
  const content = endingContent('Leaving Acme Pro', { ...saved, effect });
  expect(content.subject).toBe(`Ends soon: Leaving Acme Pro (${OFFER.name}, 2027-03-08)`);
  const text = textOf(content);
  for (const words of ['ends on 2027-03-08', '€20.30 now, €29 then', 'cus_4711']) expect(text).toContain(words);
});

describe('What customers and operators write', () => {
  const hostile = `<script>alert('1')</script> "&amp;" \r\nBcc: eve@evil.example\u2028\0\x1b[31m`;
  const content = mailOf(
    session('saved', {
      accepted_offer: { ...OFFER, name: hostile, offer_value: hostile, offer_duration: hostile },
      answers: [{ node_key: 'reason', option: 'other', label: hostile, own_label: hostile, comment: hostile }],
      session: {
        ...saved.session,
        customer: { id: hostile, email: null, attributes: {}, verified: true, subscription: null },
      },
    }),
    hostile,
  );

  it('can add no field to the header', () => {
    expect(content.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(content.subject).toContain('Bcc: eve@evil.example');
  });

  it('is escaped in HTML', () => {
    const html = htmlOf(content);
    expect(html).not.toMatch(/<script|(?!\n)\p{Cc}|\u2028/u);
    expect(html).toContain('&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62; &#34;&#38;amp;&#34;');
  });

  it('starts no line of the text as if the service wrote it', () => {
    expect(textOf(content)).not.toMatch(/^Bcc|^ {2}Bcc/m);
    expect(textOf(content)).toContain('\n  > Bcc: eve@evil.example');
  });

  it('is cut in a subject between characters', () => {
    const { subject } = mailOf(saved, '😀'.repeat(200));
    expect(subject).toBe(`Saved: ${'😀'.repeat(99)}… (50 % off for three months)`);
  });
});

describe('The summary', () => {
  const at = (minute: number) => new Date(Date.UTC(2027, 0, 31, 12, minute));
  const count = (type: SummaryCount['type'], label: string | null, sessions: number, minute = 10): SummaryCount => {
    return { type, label, sessions, first: at(minute), last: at(minute + 5) };
  };

  it('counts the sessions by outcome, offer and reason, the most frequent first', () => {
    const content = summaryContent('Leaving Acme Pro', [
      count('session.saved', null, 2),
      count('session.saved', 'Half price', 3, 2),
      count('session.canceled', 'Not used', 4),
      count('session.canceled', 'Too expensive', 6),
      count('session.canceled', 'Too expensive', 5, 40),
      count('session.canceled', null, 1),
    ]);
    expect(content.subject).toBe('Summary: Leaving Acme Pro (5 saved, 16 went on to cancel)');
    expect(textOf(content)).toBe(`Summary: Leaving Acme Pro

More sessions ended: 5 saved, 16 went on to cancel.

Saved (5):
  Half price: 3
  No offer accepted: 2

Went on to cancel (16):
  Too expensive: 11
  Not used: 4
  No reason given: 1

Time:
  from 2027-01-31 12:02:00 UTC
  to 2027-01-31 12:45:00 UTC

-- 
We limit the number of mails in an hour. This one covers the sessions that got no mail of their own.
`);
  });

  it('tells ten reasons apart, and adds up the others', () => {
    const counts = Array.from({ length: 13 }, (_, n) => count('session.canceled', `Reason ${n}`, 20 - n));
    const text = textOf(summaryContent('Leaving', counts));
    expect(text).toContain('  Reason 9: 11\n  Others: 27\n');
    expect(text).not.toContain('Saved');
  });
});
