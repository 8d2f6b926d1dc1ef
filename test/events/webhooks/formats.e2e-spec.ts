import { EVENTS } from '../../../src/events/dto/event-body.dto';
import { SUBSCRIBABLE_TYPES } from '../../../src/outbox/event-types';
import { Receiver, type Received, type Reply, verify } from '../../support/receiver';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { until } from '../../support/until';
import type { Answer } from '../../support/client';
import { claimsFor, secretKey, tokenOf } from '../../support/customer-token';
import { startDelivering } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';
import { segment, slack } from './receivers';

const WEBHOOKS = '/api/v1/public/webhooks';
const CONFIG = '/api/v1/public/config';
const HOOK = 'services/T0/B0/secret';
const WRITE_KEY = 'a1B2c3D4e5F6g7H8';

describe('A webhook', () => {
  const service = serviceForAll(() => startDelivering({ PUBLIC_URL: 'https://flows.acme.example' }));
  const acme = workspaceForEach(service);
  let receiver: Receiver;
  let statuses: number[];

  beforeEach(() => (statuses = []));
  afterEach(async () => {
    await receiver?.stop();
    await service.database.query('DELETE FROM webhooks');
  });

  /** Keeps how each request was answered. */
  const answering = (reply: (received: Received) => Reply) => async (received: Received) => {
    const answer = reply(received);
    statuses.push((answer as { status: number }).status);
    return answer;
  };
  const published = async (fields: object = {}) => {
    const { id: offer } = await acme.offer({ name: '50 % off for three months' });
    return acme.publishedFlow({ name: 'Leaving Acme Pro', offer_ids: [offer], ...fields });
  };
  const pointersOf = ({ status, body }: Answer) => {
    expect(status).toBe(400);
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  const create = async (body: object) => (await acme.client.post(WEBHOOKS, body)).body;
  const forSlack = async (fields: object = {}) => {
    receiver = await Receiver.start(answering(slack));
    return create({ format: 'slack', url: receiver.url + HOOK, ...fields });
  };
  const forSegment = async (fields: object = {}) => {
    receiver = await Receiver.start(answering(segment(WRITE_KEY)));
    return create({ format: 'segment', url: `${receiver.url}v1/track`, write_key: WRITE_KEY, ...fields });
  };
  const linkTo = async (visitor: Visitor) =>
    `<https://flows.acme.example/console#/sessions/${await visitor.recordId()}|Open the session>`;
  const signedCustomer = async (sub: string) => tokenOf(await secretKey(acme.client), {}, claimsFor(acme, { sub }));
  const sampleAll = async (id: string) => {
    for (const type of SUBSCRIBABLE_TYPES) await acme.client.post(`${WEBHOOKS}/${id}/test`, { type });
    await acme.client.send('POST', `${WEBHOOKS}/${id}/test`);
    return receiver.untilReceived(SUBSCRIBABLE_TYPES.length + 1);
  };

  describe('for Slack', () => {
    it('writes what happened, in which flow, and what the customer said, and mentions nobody', async () => {
      await forSlack({ event_types: ['session.saved'] });
      const flow = await published();
      const visitor = await Visitor.begin(service, flow, { id: 'cus_1' });
      await visitor.answer('<!channel> A & B\n*too dear*');
      await visitor.accept();
      const [{ path, body, headers }] = await receiver.untilReceived(1);
      expect(path).toBe(`/${HOOK}`);
      const text = (value: string) => ({ type: 'mrkdwn', text: value, verbatim: true });
      const lead = '*Leaving Acme Pro*: A customer stays.';
      expect(body).toEqual({
        text: lead,
        blocks: [
          { type: 'section', text: text(lead) },
          { type: 'section', text: text('Accepted: 50 % off for three months') },
          {
            type: 'section',
            text: text('Too expensive\n> &lt;!channel&gt; A &amp; B *too dear*'),
          },
          { type: 'context', elements: [text('Customer cus_1'), text(await linkTo(visitor))] },
        ],
      });
      expect(headers).not.toHaveProperty('authorization');
    });

    it('says the price of the subscription, its plan and its age, and the answer in the language of the flow', async () => {
      await forSlack({ event_types: ['session.canceled'] });
      const now = new Date();
      const since = new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), 1)).toISOString().slice(0, 10);
      const subscription = { amount: 4900, currency: 'eur', interval: 'month', plan: 'Pro <b>', since };
      const customer_token = tokenOf(await secretKey(acme.client), {}, claimsFor(acme, { subscription }));
      const { slug: flow_slug } = await published();
      const start = { flow_slug, customer_token, locale: 'de' };
      const { body: session } = await service.client.post('/api/v1/runtime/session/init', start);
      const step = (body: object) => service.client.post(`/api/v1/runtime/session/${session.session_id}/step`, body);
      await step({ node_key: 'start', action: 'continue' });
      const asked = await step({ node_key: 'reason', action: 'answer', option: 'too_expensive' });
      expect(asked.status).toBe(200);
      await step({ action: 'cancel' });
      const [{ body }] = await receiver.untilReceived(1);
      const texts = body.blocks.flatMap((block: { text?: { text: string } }) => block.text?.text ?? []);
      expect(texts.slice(1)).toEqual(['€49 a month before discounts, Pro &lt;b&gt;, for 12 months', 'Too expensive']);
      expect(session.flow.entry_node.config.title).not.toBe('Before you go');
    });

    it('says once how long the pause is that the customer has chosen', async () => {
      await forSlack({ event_types: ['session.saved'] });
      const accepted = async (name: string, months: number | number[], choice: object) => {
        const { id } = await acme.offer({ name, offer_type: 'pause_subscription', terms: { months } });
        const visitor = await Visitor.begin(service, await acme.publishedFlow({ offer_ids: [id] }));
        await visitor.answer();
        await visitor.accept(choice);
        const isTold = ({ body }: Received) => JSON.stringify(body).includes(`Accepted: ${name}`);
        const { body } = (await receiver.until((all) => all.some(isTold))).find(isTold)!;
        return body.blocks[1].text.text;
      };
      expect(await accepted('Take a break', [1, 3], { months: 3 })).toBe('Accepted: Take a break (3 months)');
      expect(await accepted('Pause for 3 months', 3, {})).toBe('Accepted: Pause for 3 months');
    });

    it('is taken with each type of event, as are the longest texts', async () => {
      const { id } = await forSlack({ event_types: ['session.canceled'] });
      await sampleAll(id);
      const flow = await published({ name: '&'.repeat(200) });
      const visitor = await Visitor.begin(service, flow, { id: '<'.repeat(200) });
      await visitor.answer('>'.repeat(5000));
      await visitor.cancel();
      await receiver.untilReceived(SUBSCRIBABLE_TYPES.length + 2);
      expect(new Set(statuses)).toEqual(new Set([200]));
      const texts = receiver.received.map(({ body }) => body.text as string);
      expect(texts).toContain('*Leaving Acme Pro*: Billing refused what a customer decided.');
      expect(texts).toContain('80 % of the session limit are used.');
    });

    it('shows the host of its URL alone, which means the one that is stored when it is sent back', async () => {
      const { id, url } = await forSlack();
      const host = receiver.url.slice(0, -1);
      expect(url).toBe(host);
      const { body } = await acme.client.get(`${WEBHOOKS}/${id}`);
      expect(body).toMatchObject({ format: 'slack', url: host });
      expect((await acme.client.get(WEBHOOKS)).body.webhooks).toEqual([body]);
      expect(JSON.stringify((await acme.client.get('/api/v1/public/changes')).body)).not.toContain('secret');
      await acme.client.put(`${WEBHOOKS}/${id}`, { url: host, description: 'Sales' });
      await acme.client.send('POST', `${WEBHOOKS}/${id}/test`);
      expect((await receiver.untilReceived(1))[0].path).toBe(`/${HOOK}`);
    });
  });

  describe('whose receiver repeats what it was sent', () => {
    const basic = Buffer.from(`${WRITE_KEY}:`).toString('base64');
    const LONG_HOOK = 'services/T0LONGTEAM/B0LONGHOOK/verysecret';

    it.each<[string, object, (received: Received) => string]>([
      ['the path', { format: 'slack' }, ({ path }) => `No hook at ${path}, that is verysecret`],
      ['the path in JSON', { format: 'slack' }, ({ path }) => `{"path":"${path.replaceAll('/', String.raw`\/`)}"}`],
      [
        'the key',
        { format: 'segment', write_key: WRITE_KEY },
        ({ headers }) => `${headers.authorization} ${WRITE_KEY}`,
      ],
      ['the beginning of it', { format: 'segment', write_key: WRITE_KEY }, () => `${'x'.repeat(190)} ${basic}`],
    ])('shows nobody %s', async (_, fields, repeat) => {
      receiver = await Receiver.start((received) => ({ status: 400, body: repeat(received) }));
      const { id } = await create({ url: receiver.url + LONG_HOOK, ...fields });
      await acme.client.send('POST', `${WEBHOOKS}/${id}/test`);
      const read = async () => (await acme.client.get(`${WEBHOOKS}/${id}/deliveries`)).body.deliveries;
      const [{ last_error }] = await until(read, ([delivery]) => delivery?.last_error);
      expect(last_error).toContain('…');
      for (const secret of ['verysecret', 'B0LONGHOOK', WRITE_KEY.slice(0, 8), basic.slice(0, 8)]) {
        expect(last_error).not.toContain(secret);
      }
    });
  });

  it.each(['a\nb', 'a b', 'a:b', 'é', '', 'x'.repeat(201), 1])(
    'is refused with the write key %j',
    async (write_key) => {
      const segment = { format: 'segment', url: 'https://api.segment.io/v1/track', write_key };
      expect(pointersOf(await acme.client.post(WEBHOOKS, segment))).toEqual(['/write_key']);
    },
  );

  describe('for Segment', () => {
    it('tracks the customer, signed in with the write key, once for each event', async () => {
      const { id } = await forSegment({ event_types: ['session.saved'] });
      receiver.reply = ({ id }) =>
        receiver.received.filter((one) => one.id === id).length > 1 ? segment(WRITE_KEY)(receiver.received[0]) : 503;
      const flow = await published();
      const visitor = await Visitor.begin(service, flow, await signedCustomer('cus_1'));
      await visitor.answer();
      await visitor.accept();
      await receiver.untilReceived(1);
      await service.letPass('10 seconds', acme);
      const [first, again] = await receiver.untilReceived(2);
      expect(again.body.messageId).toBe(first.body.messageId);
      expect(first.body).toMatchObject({
        type: 'track',
        event: 'Retention Session Saved',
        userId: 'cus_1',
        messageId: `${first.id}.${id}`,
        properties: {
          session: { flow_name: 'Leaving Acme Pro', status: 'saved' },
          accepted_offer: { name: '50 % off for three months' },
        },
      });
      expect(first.body).not.toHaveProperty('anonymousId');
    });

    it('tracks the session of a customer whom no backend has signed, and otherwise the workspace', async () => {
      await forSegment({ event_types: ['session.canceled', 'flow.published'] });
      const flow = await published();
      const visitor = await Visitor.cancels(service, flow, { id: 'cus_1' });
      const received = await receiver.untilReceived(2);
      const who = Object.fromEntries(received.map(({ body }) => [body.event, body.anonymousId]));
      expect(who).toEqual({
        'Retention Flow Published': acme.id,
        'Retention Session Canceled': await visitor.recordId(),
      });
    });

    it('is taken with each type of event, and marks what is a test', async () => {
      const { id, secret } = await forSegment();
      const received = await sampleAll(id);
      expect(new Set(statuses)).toEqual(new Set([200]));
      const saved = received.find(({ body }) => body.event === 'Retention Session Saved')!;
      expect(saved.body.properties).toEqual({
        ...JSON.parse(JSON.stringify(EVENTS['session.saved'].example)),
        test: true,
        session: expect.anything(),
      });
      verify(secret, saved);
    });

    it('never shows its write key again, and forgets it with the format', async () => {
      const { id } = await forSegment();
      const { body } = await acme.client.get(`${WEBHOOKS}/${id}`);
      const changes = await acme.client.get('/api/v1/public/changes');
      expect(JSON.stringify([body, changes.body])).not.toContain(WRITE_KEY);
      await acme.client.put(`${WEBHOOKS}/${id}`, { format: 'standard' });
      expect(pointersOf(await acme.client.put(`${WEBHOOKS}/${id}`, { format: 'segment' }))).toEqual(['/write_key']);
    });
  });

  it('gives away no secret with its format: a URL of Slack and a write key are given anew', async () => {
    const { id } = await forSlack();
    const host = receiver.url.slice(0, -1);
    for (const changes of [
      { format: 'standard' },
      { format: 'standard', url: host },
      { format: 'segment', write_key: WRITE_KEY },
    ])
      expect(pointersOf(await acme.client.put(`${WEBHOOKS}/${id}`, changes))).toEqual(['/url']);
    const [webhook] = (await acme.client.get(`${CONFIG}?environment=true`)).body.webhooks;
    const document = { webhooks: [{ ...webhook, format: 'standard' }] };
    expect(pointersOf(await acme.client.put(CONFIG, document))).toEqual(['/webhooks/0/url']);
    expect((await acme.client.get(`${WEBHOOKS}/${id}`)).body).toMatchObject({ format: 'slack', url: host });

    const { id: keyed } = await create({
      format: 'segment',
      url: 'https://api.segment.io/v1/track',
      write_key: WRITE_KEY,
    });
    const elsewhere = { url: 'https://acme.example/v1/track' };
    expect(pointersOf(await acme.client.put(`${WEBHOOKS}/${keyed}`, elsewhere))).toEqual(['/write_key']);
    const samePlace = { url: 'https://api.segment.io/v1/t' };
    expect((await acme.client.put(`${WEBHOOKS}/${keyed}`, samePlace)).status).toBe(200);
  });

  it('starts anew without its failures when it is sent elsewhere or in another format, not when its URL is sent back', async () => {
    const { id } = await create({ format: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' });
    const fail = () =>
      service.database.query('UPDATE webhooks SET failures = 5, failing_since = now() WHERE id = $1', [id]);
    const failingAfter = async (changes: object) => {
      await fail();
      await acme.client.put(`${WEBHOOKS}/${id}`, changes);
      return (await acme.client.get(`${WEBHOOKS}/${id}`)).body.failing_since !== null;
    };
    expect(await failingAfter({ url: 'https://hooks.slack.com', description: 'Sales' })).toBe(true);
    expect(await failingAfter({ format: 'standard', url: 'https://acme.example/hook' })).toBe(false);
    expect(await failingAfter({ format: 'segment', write_key: WRITE_KEY })).toBe(false);
  });

  it.each([
    ['segment', { format: 'segment' }, '/write_key'],
    ['another with a write key', { write_key: WRITE_KEY }, '/write_key'],
    ['Slack at a host alone', { format: 'slack', url: 'https://hooks.slack.com' }, '/url'],
    ['no known format', { format: 'teams' }, '/format'],
  ])('for %s is refused, and changes nothing', async (_, fields, pointer) => {
    const body = { url: 'https://acme.example/hook', ...fields };
    expect(pointersOf(await acme.client.post(WEBHOOKS, body))).toEqual([pointer]);
    const { id } = await create({ url: 'https://acme.example/hook' });
    const { body: before } = await acme.client.get(`${WEBHOOKS}/${id}`);
    expect(pointersOf(await acme.client.put(`${WEBHOOKS}/${id}`, body))).toEqual([pointer]);
    expect((await acme.client.get(`${WEBHOOKS}/${id}`)).body).toEqual(before);
  });

  it('keeps what documents do not have: its write key, and the path of its URL of Slack', async () => {
    await create({ key: 'sales', format: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret' });
    await create({ key: 'analytics', format: 'segment', url: 'https://api.segment.io/v1/track', write_key: WRITE_KEY });
    const { body: document } = await acme.client.get(`${CONFIG}?environment=true`);
    expect(JSON.stringify(document)).not.toMatch(/secret|a1B2/);
    expect((await acme.client.put(CONFIG, document)).body).toMatchObject({ create: [], update: [] });
    document.webhooks[0].description = document.webhooks[1].description = 'Told';
    expect((await acme.client.put(CONFIG, document)).body.update).toHaveLength(2);
    const rows = await service.database.query('SELECT url, write_key, description FROM webhooks ORDER BY key');
    expect(rows).toEqual([
      { url: 'https://api.segment.io/v1/track', write_key: WRITE_KEY, description: 'Told' },
      { url: 'https://hooks.slack.com/services/T0/B0/secret', write_key: null, description: 'Told' },
    ]);
    const other = await service.workspace();
    expect(pointersOf(await other.client.put(CONFIG, document))).toEqual(['/webhooks/0/write_key', '/webhooks/1/url']);
  });
});
