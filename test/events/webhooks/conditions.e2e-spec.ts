import { serviceForAll, workspaceForEach } from '../../support/service';
import { startDelivering, Subscriber } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';

const WEBHOOKS = '/api/v1/public/webhooks';
const ABOVE_100 = { all: [{ attribute: 'paid', is: '>', value: 100 }] };

describe('A webhook with conditions', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    flow = await acme.publishedFlow();
  });
  afterEach(() => Subscriber.stopAll(service));

  const leaves = (id: string, paid: number) => Visitor.cancels(service, flow, { id, attributes: { paid } });
  const customersOf = ({ received }: Subscriber) =>
    received.map(({ body }) => (body.data as { session: { customer: { id: string } } }).session.customer.id);
  const conditional = async (when: object, types: Parameters<typeof Subscriber.of>[1] = ['session.canceled']) => {
    const subscriber = await Subscriber.of(acme, types);
    expect((await subscriber.update({ when })).status).toBe(200);
    return subscriber;
  };

  it('gets the events of sessions for which they hold; others get all', async () => {
    const alerts = await conditional(ABOVE_100);
    const reasons = await conditional({ any: [{ answer: 'reason', is: '=', value: 'too_expensive' }] });
    const all = await Subscriber.of(acme, ['session.canceled']);
    await leaves('little', 100);
    await leaves('much', 101);
    const dear = await Visitor.begin(service, flow, { id: 'dear', attributes: { paid: 5 } });
    await dear.answer();
    await dear.cancel();
    await all.untilReceived(3);
    await alerts.untilReceived(1);
    await reasons.untilReceived(1);
    expect([customersOf(alerts), customersOf(reasons)]).toEqual([['much'], ['dear']]);
    expect(await alerts.deliveries()).toHaveLength(1);
  });

  it('goes by the conditions of now, and by none once they are taken back', async () => {
    const alerts = await conditional(ABOVE_100);
    const all = await Subscriber.of(acme, ['session.canceled']);
    await leaves('little', 1);
    await all.untilReceived(1);
    await alerts.update({ when: { all: [{ attribute: 'paid', is: '<', value: 100 }] } });
    await leaves('less', 2);
    await alerts.untilReceived(1);
    await alerts.update({ when: null });
    await leaves('much', 1000);
    await alerts.untilReceived(2);
    expect(customersOf(alerts)).toEqual(['less', 'much']);
  });

  it('gets no event without a session, and no preview, but its own test', async () => {
    const alerts = await conditional(ABOVE_100, []);
    const all = await Subscriber.of(acme);
    for (const subscriber of [alerts, all]) await subscriber.update({ test_events: true });
    const preview = { events: true, customer: { attributes: { paid: 500 } } };
    const { body: begun } = await acme.client.post(`/api/v1/public/flows/${flow.id}/preview`, preview);
    await service.client.post(`/api/v1/runtime/session/${begun.session_id}/step`, { action: 'cancel' });
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Another name' });
    await alerts.post('test');
    await all.untilReceived(2);
    await alerts.untilReceived(1);
    expect(all.receiver.types).toEqual(['session.canceled', 'flow.published']);
    expect(alerts.receiver.types).toEqual(['test']);
  });

  it('recovers, and gets again, only what they hold of', async () => {
    const all = await Subscriber.of(acme, ['session.canceled']);
    await leaves('little', 1);
    await leaves('much', 1000);
    const [little, much] = await all.untilReceived(2);
    const alerts = await conditional(ABOVE_100);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await alerts.post('recover', { since })).body).toEqual({ deliveries: 1 });
    await alerts.untilReceived(1);
    const again = (id: string) => acme.client.send('POST', `/api/v1/public/events/${id}/redeliver`);
    expect((await again(little.id)).body.deliveries).toBe(1);
    expect((await again(much.id)).body.deliveries).toBe(2);
    await alerts.untilReceived(2);
    expect(customersOf(alerts)).toEqual(['much', 'much']);
  });

  it.each<[string, unknown, string]>([
    ['no conditions', {}, '/when/all'],
    ['no condition', { all: [] }, '/when/all'],
    ['a fact that there is not', { all: [{ fact: 'height', is: '=', value: 1 }] }, '/when/all/0/fact'],
    ['text where the fact is a number', { all: [{ fact: 'amount', is: '>', value: 'much' }] }, '/when/all/0/value'],
    ['an audience', { all: [{ audience: '01a22e74-7c0c-741f-9047-8e6171e556ce' }] }, '/when/all/0/audience'],
    [
      'more than 8,000 characters',
      { any: Array.from({ length: 10 }, () => ({ attribute: 'a', is: '=', value: 'x'.repeat(900) })) },
      '/when',
    ],
  ])('refuses %s, and stays as it is', async (_, when, pointer) => {
    const { id } = await Subscriber.of(acme);
    for (const { status, body } of [
      await acme.client.put(`${WEBHOOKS}/${id}`, { when }),
      await acme.client.post(WEBHOOKS, { url: 'https://acme.example/hook', when }),
    ])
      expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
    expect((await acme.client.get(`${WEBHOOKS}/${id}`)).body.when).toBeNull();
  });

  it('is a part of the document', async () => {
    const alerts = await conditional(ABOVE_100);
    const { body: document } = await acme.client.get('/api/v1/public/config?environment=true');
    expect(document.webhooks[0].when).toEqual(ABOVE_100);
    const when = { all: [{ attribute: 'paid', is: '>', value: 200 }] };
    const changed = { webhooks: [{ ...document.webhooks[0], when }] };
    const { body } = await acme.client.put('/api/v1/public/config', changed);
    expect(body.update).toMatchObject([{ kind: 'webhook', fields: ['when'] }]);
    expect(await alerts.webhook()).toMatchObject({ when });
  });
});
