import { MailServer } from '../../support/mail-server';
import { Service } from '../../support/service';
import { until } from '../../support/until';
import { TO_LOOPBACK } from '../../support/receiver';
import { startDelivering, Subscriber } from '../deliveries/subscriber';
import { Visitor } from '../deliveries/visitor';

const ADDRESS = 'retention@acme.example';

describe('A copy that is started with SEND_NOTHING', () => {
  it('sends nothing, refuses what is asked for with 409, and leaves all of it to a service without the setting', async () => {
    const mailServer = await MailServer.start();
    const env = {
      ...TO_LOOPBACK,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'flows@acme.example',
      PUBLIC_URL: 'https://flows.acme.example',
    };
    const original = await startDelivering(env);
    const acme = await original.workspace();
    const flow = await acme.publishedFlow();
    const subscriber = await Subscriber.of(acme, ['session.canceled'], () => 500);
    await Visitor.cancels(original, flow);
    const [{ event_id }] = await subscriber.untilDeliveries(([newest]) => newest?.last_status === 500);
    await original.letPass('1 hour', acme);
    await original.stop();
    subscriber.reply = () => 204;

    const copy = await Service.start({ ...env, SEND_NOTHING: 'true' });
    const client = copy.client.with(acme.key);
    await client.put(`/api/v1/public/flows/${flow.id}`, { notification_email: ADDRESS });
    await Visitor.cancels(copy, flow);
    const webhook = `/api/v1/public/webhooks/${subscriber.id}`;
    const asked = [
      await client.send('POST', `${webhook}/test`),
      await client.post(`${webhook}/recover`, { since: '2026-01-01T00:00:00Z' }),
      await client.send('POST', `/api/v1/public/events/${event_id}/redeliver`),
    ];
    expect(asked.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(asked.map(({ body }) => body.code)).toEqual(['sends_nothing', 'sends_nothing', 'sends_nothing']);
    const invitation = { email: ADDRESS, role: 'owner' };
    const invited = await copy.operator.post(`/api/v1/admin/workspaces/${acme.id}/invitations`, invitation);
    expect(invited.body.mailed).toBe(false);
    // What happens in the copy is still made into events.
    const deliveries = await until(
      async () => (await client.get(`${webhook}/deliveries`)).body.deliveries as object[],
      ({ length }) => length === 2,
    );
    expect(deliveries).toMatchObject([
      { status: 'pending', attempts: 0 },
      { event_id, status: 'pending', attempts: 1 },
    ]);
    await copy.stop();
    expect(subscriber.received).toHaveLength(1);

    const successor = await Service.start(env);
    const received = await subscriber.untilReceived(3);
    expect(received.filter(({ id }) => id === event_id)).toHaveLength(2);
    expect(await mailServer.received(ADDRESS, 1)).toHaveLength(1);
    await Subscriber.stopAll(successor);
    await successor.stop();
    await mailServer.close();
  });
});
