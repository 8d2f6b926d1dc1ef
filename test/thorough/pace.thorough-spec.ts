import { Receiver, type Reply } from '../support/receiver';
import { serviceForAll, workspaceForEach } from '../support/service';
import { startDelivering, untilIdle } from '../events/deliveries/subscriber';
import { Visitor } from '../events/deliveries/visitor';

const OUTCOMES = 40;

describe('A channel of Slack, which takes one message a second', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);

  it('is told everything at that pace, and does not fail', async () => {
    let lastTaken = -Infinity;
    let taken = 0;
    const takesOneASecond = (): Reply => {
      const time = performance.now();
      if (time - lastTaken < 1000) return { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' };
      lastTaken = time;
      taken++;
      return { status: 200, body: 'ok' };
    };
    const receiver = await Receiver.start(takesOneASecond);
    const webhook = { format: 'slack', url: `${receiver.url}services/T0/B0/secret`, event_types: ['session.canceled'] };
    const { id } = (await acme.client.post('/api/v1/public/webhooks', webhook)).body;
    const flow = await acme.publishedFlow();
    await Promise.all(Array.from({ length: OUTCOMES }, () => Visitor.cancels(service, flow)));
    await receiver.until(() => taken === OUTCOMES);
    await untilIdle(service);
    expect((await acme.client.get(`/api/v1/public/webhooks/${id}`)).body.failing_since).toBeNull();
    // The pace keeps below the limit by itself.
    expect(receiver.received.length).toBeLessThan(OUTCOMES * 1.2);
    const { deliveries } = (await acme.client.get(`/api/v1/public/webhooks/${id}/deliveries?limit=500`)).body;
    expect(deliveries).toHaveLength(OUTCOMES);
    for (const delivery of deliveries) expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 });
    await receiver.stop();
  });
});
