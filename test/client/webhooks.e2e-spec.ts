import { RetentionFlow, verifyWebhook, WebhookVerificationError } from '@retention-flow/client';
import { Webhook } from 'standardwebhooks';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { Service, type Tenant } from '../support/service';

const secret = `whsec_${Buffer.from('a secret of some thirty-two bytes').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
const body = JSON.stringify({ type: 'session.saved', timestamp: '2026-11-21T09:30:00.000Z', data: { name: 'Zoë 🎈' } });

/** As a library of Standard Webhooks signs. */
function signed({ by = secret, of = body, at = Date.now() } = {}): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(by).sign('msg_1', new Date(at), of),
  };
}

/** The same with names in another case. */
function named(change: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed()).map(([name, value]) => [change(name), value]));
}

/** The same with another signature. */
function changed(change: (signature: string) => string | undefined): Record<string, string | undefined> {
  const headers = signed();
  return { ...headers, 'webhook-signature': change(headers['webhook-signature']) };
}

describe('verifyWebhook', () => {
  it.each([
    ['a text, with the headers of Node', body, { host: 'x', 'set-cookie': ['a', 'b'], ...signed() }],
    ['bytes, with Headers', new TextEncoder().encode(body), new Headers(signed())],
    ['a Buffer', Buffer.from(body), signed()],
    ['an ArrayBuffer', Uint8Array.from(Buffer.from(body)).buffer, signed()],
    [
      'a text, with names as API Gateway has them',
      body,
      named((name) => name.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())),
    ],
    ['a text, with names in capitals', body, named((name) => name.toUpperCase())],
    [
      'a text, with values in lists',
      body,
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]])),
    ],
    ['a text, with a list of names and values', body, Object.entries(signed())],
  ])('returns the event in %s', async (_, given, headers) => {
    expect(await verifyWebhook(given, headers, secret)).toEqual(JSON.parse(body));
  });

  it('accepts the request if any of its signatures is right', async () => {
    const headers = signed();
    const { 'webhook-signature': right, 'webhook-timestamp': seconds } = headers;
    const { 'webhook-signature': wrong } = signed({ by: other, at: Number(seconds) * 1000 });
    for (const both of [`${wrong} ${right}`, `${right} ${wrong}`, `v1a,xyz v1,!! ${right}`]) {
      expect(await verifyWebhook(body, { ...headers, 'webhook-signature': both }, secret)).toHaveProperty('type');
    }
  });

  // Signed when they are sent: the clock goes on while other tests run.
  it.each<[string, () => Record<string, string | undefined>, string?]>([
    ['of another secret', () => signed({ by: other })],
    ['of another body', () => signed(), body.replace('Zoë', 'Zoe')],
    ['with another id', () => ({ ...signed(), 'webhook-id': 'msg_2' })],
    ['with another time', () => ({ ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) })],
    ['of more than five minutes ago', () => signed({ at: Date.now() - 310_000 })],
    ['of more than five minutes ahead', () => signed({ at: Date.now() + 310_000 })],
    ['with a time that is no number', () => ({ ...signed(), 'webhook-timestamp': 'NaN' })],
    ['with half a signature', () => changed((signature) => signature.slice(0, 20))],
    ['with a signature of nothing', () => changed(() => 'v1,')],
    ['with a signature of another version', () => changed((signature) => signature.replace('v1', 'v2'))],
    ['without a signature', () => changed(() => undefined)],
    ['without an id', () => ({ ...signed(), 'webhook-id': undefined })],
    ['without headers', () => ({})],
  ])('refuses a request %s', async (_, headersNow, given = body) => {
    await expect(verifyWebhook(given, headersNow(), secret)).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  it('takes a request of almost five minutes ago', async () => {
    const event = await verifyWebhook(body, signed({ at: Date.now() - 290_000 }), secret);
    expect(event.type).toBe('session.saved');
  });

  it.each([JSON.parse(body), undefined, null])('says that a body was parsed: %s', async (parsed) => {
    await expect(verifyWebhook(parsed as never, signed(), secret)).rejects.toThrow('not as it was received');
  });

  it('takes several secrets, for the time in which one replaces another', async () => {
    for (const secrets of [[other, secret], [secret, other], [secret]]) {
      expect(await verifyWebhook(body, signed(), secrets)).toHaveProperty('type');
    }
    await expect(verifyWebhook(body, signed(), [other])).rejects.toThrow('No signature');
    await expect(verifyWebhook(body, signed(), [])).rejects.toThrow('No signature');
  });

  it.each([
    { type: 'test', data: {} },
    { type: 'session.saved', test: true, data: {} },
  ])('refuses a test unless it may come: %j', async (event) => {
    const of = JSON.stringify(event);
    await expect(verifyWebhook(of, signed({ of }), secret)).rejects.toThrow(
      new WebhookVerificationError('The event is a test: allowTest takes it.'),
    );
    expect(await verifyWebhook(of, signed({ of }), secret, { allowTest: true })).toEqual(event);
  });

  it('says that a secret is none, rather than that the request is bad', async () => {
    await expect(verifyWebhook(body, signed(), '')).rejects.toThrow(TypeError);
  });
});

describe('Deliveries of the service', () => {
  let service: Service;
  let receiver: Receiver;
  let acme: Tenant;
  let rf: RetentionFlow;

  beforeAll(async () => {
    service = await Service.start(TO_LOOPBACK);
    receiver = await Receiver.start();
    acme = await service.workspace();
    rf = new RetentionFlow({ baseUrl: service.client.baseUrl, apiKey: acme.key });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });

  it('are verified, and while a secret is replaced with both secrets', async () => {
    const webhook = await rf.webhooks.create({ url: receiver.url, event_types: ['session.saved'] });
    const { slug } = await acme.publishedFlow();
    const customer = { id: 'cus_4711', email: 'ada@example.com' };
    const { session_id } = await rf.runtime.start({ flow_slug: slug, customer });
    const rotated = await rf.webhooks.rotateSecret(webhook.id, { previous_valid_for_seconds: 3600 });
    await rf.runtime.step(session_id, { action: 'keep' });
    const [{ text, headers }] = await receiver.untilReceived(1);
    for (const one of [webhook.secret, rotated.secret, [webhook.secret, rotated.secret]]) {
      const event = await verifyWebhook(text, headers, one);
      if (event.type !== 'session.saved') throw new Error(event.type);
      expect(event.data.session.customer?.email).toBe('ada@example.com');
    }
    await expect(verifyWebhook(`${text} `, headers, rotated.secret)).rejects.toThrow('No signature');
  });
});
