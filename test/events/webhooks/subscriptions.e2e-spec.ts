import { serviceForAll, workspaceForEach } from '../../support/service';
import { startDelivering, Subscriber } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';

describe('Events are sent', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { id: string; slug: string };

  beforeEach(async () => {
    flow = await acme.flow();
  });
  afterEach(() => Subscriber.stopAll(service));

  const publish = () => acme.client.put(`/api/v1/public/flows/${flow.id}`, { status: 'published' });
  /** The types that a webhook got once the last one is there. */
  const typesUntil = async ({ receiver }: Subscriber, last: string): Promise<string[]> => {
    await receiver.until(() => receiver.types.includes(last));
    return receiver.types.toSorted();
  };

  it('to a webhook that names no types: all but starts', async () => {
    const all = await Subscriber.of(acme);
    const named = await Subscriber.of(acme, ['session.started']);
    await publish();
    await Visitor.cancels(service, flow, { id: 'cus_1' });
    await named.untilReceived(1);
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(await typesUntil(all, 'customer.erased')).toEqual(['customer.erased', 'flow.published', 'session.canceled']);
    expect(await all.deliveries()).toHaveLength(3);
  });

  it('to a webhook that names types: these, and no others', async () => {
    const named = await Subscriber.of(acme, ['session.started', 'customer.erased']);
    const all = await Subscriber.of(acme);
    await publish();
    await Visitor.cancels(service, flow, { id: 'cus_1' });
    await all.untilReceived(2);
    await acme.client.delete('/api/v1/public/customers/cus_1');
    expect(await typesUntil(named, 'customer.erased')).toEqual(['customer.erased', 'session.started']);
    expect(await named.deliveries()).toHaveLength(2);
  });

  it('to a webhook by the types that it names now', async () => {
    const changing = await Subscriber.of(acme, ['session.canceled']);
    await publish();
    await Visitor.cancels(service, flow);
    await changing.untilReceived(1);
    await changing.update({ event_types: ['session.started'] });
    await Visitor.cancels(service, flow);
    expect(await typesUntil(changing, 'session.started')).toEqual(['session.canceled', 'session.started']);
  });

  it('to no webhook that is disabled, and to none of another workspace', async () => {
    const disabled = await Subscriber.of(acme);
    await disabled.update({ status: 'disabled' });
    const other = await Subscriber.of(await service.workspace(), ['session.started', 'session.canceled']);
    const enabled = await Subscriber.of(acme);
    await publish();
    await Visitor.cancels(service, flow);
    await enabled.untilReceived(2);
    expect(await disabled.deliveries()).toEqual([]);
    expect(await other.deliveries()).toEqual([]);
    expect([disabled.received, other.received]).toEqual([[], []]);
  });

  it('to each of ten webhooks, once', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => Subscriber.of(acme, ['session.canceled'])));
    await publish();
    const visitors = await Promise.all(Array.from({ length: 5 }, () => Visitor.cancels(service, flow)));
    const records = await Promise.all(visitors.map((visitor) => visitor.recordId()));
    for (const subscriber of ten) {
      await subscriber.untilDeliveries((deliveries) => {
        return deliveries.length === 5 && deliveries.every(({ status }) => status === 'delivered');
      });
      const told = subscriber.received.map(({ body }) => body.data.session.id as string);
      expect(told.toSorted()).toEqual(records.toSorted());
    }
  });

  it('to the URL that a webhook has now, also those that failed at another', async () => {
    const moving = await Subscriber.of(acme, ['session.canceled'], () => 500);
    const target = await Subscriber.of(await service.workspace());
    await publish();
    await Visitor.cancels(service, flow);
    await moving.untilNewest(({ last_status }) => last_status === 500);
    await moving.update({ url: target.receiver.url });
    await service.letPass('10 seconds', acme);
    const [{ id }] = await target.untilReceived(1);
    expect([id, moving.received.length]).toEqual([moving.received[0].id, 1]);
  });
});
