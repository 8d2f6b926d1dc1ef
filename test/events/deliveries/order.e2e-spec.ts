import { serviceForAll, workspaceForEach } from '../../support/service';
import { LONGEST_WAITS, startDelivering, Subscriber, untilIdle } from './subscriber';
import { Visitor } from './visitor';

const ADA = { id: 'ada' };
const BOB = { id: 'bob' };

describe('Events of one session', () => {
  const service = serviceForAll(startDelivering);
  const acme = workspaceForEach(service);
  let flow: { slug: string };
  let subscriber: Subscriber;
  /** Refuses to hear that Ada's session started. */
  let refuses: boolean;

  beforeEach(async () => {
    flow = await acme.publishedFlow();
    refuses = true;
    subscriber = await Subscriber.of(acme, ['session.started', 'session.canceled'], ({ body }) => {
      const isRefused = refuses && body.type === 'session.started' && body.data.session.customer.id === ADA.id;
      return isRefused ? 500 : 204;
    });
  });
  afterEach(() => Subscriber.stopAll(service));

  /** What the webhook was told of a customer, in order. */
  const toldOf = ({ id }: { id: string }) =>
    subscriber.received
      .filter(({ body }) => body.data.session.customer.id === id)
      .map(({ body }) => (body.type as string).replace('session.', ''));
  /** Resolves when so much was said of Ada, and the results are stored. */
  async function untilToldOfAda(count: number): Promise<void> {
    await subscriber.receiver.until(() => toldOf(ADA).length >= count);
    await untilIdle(service);
  }

  it('wait for each other, while those of other sessions go on', async () => {
    await Visitor.cancels(service, flow, ADA);
    await untilToldOfAda(1);
    for (let n = 0; n < 3; n++) await Visitor.cancels(service, flow, BOB);
    await subscriber.receiver.until(() => toldOf(BOB).length === 6);
    await service.letPass('10 seconds', acme);
    await untilToldOfAda(2);
    expect(toldOf(ADA)).toEqual(['started', 'started']);
    refuses = false;
    await service.letPass('10 minutes', acme);
    await untilToldOfAda(4);
    expect(toldOf(ADA)).toEqual(['started', 'started', 'started', 'canceled']);
  });

  it('go on when the attempts at one are used up', async () => {
    await Visitor.cancels(service, flow, ADA);
    for (const [index, wait] of LONGEST_WAITS.entries()) {
      await untilToldOfAda(index + 1);
      await service.letPass(wait, acme);
    }
    await untilToldOfAda(11);
    expect(toldOf(ADA)).toEqual([...Array<string>(10).fill('started'), 'canceled']);
    const deliveries = await subscriber.untilDeliveries((all) => all.every(({ status }) => status !== 'pending'));
    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 1],
      ['failed', 10],
    ]);
  });

  it('come in order, however many sessions there are', async () => {
    const visitors = await Promise.all(
      Array.from({ length: 60 }, (_, n) => Visitor.begin(service, flow, { id: `${n}` })),
    );
    await Promise.all(visitors.map((visitor) => visitor.cancel()));
    await subscriber.untilReceived(120);
    for (const n of visitors.keys()) expect(toldOf({ id: `${n}` })).toEqual(['started', 'canceled']);
  });

  it("don't wait for another webhook", async () => {
    const other = await Subscriber.of(acme, ['session.started', 'session.canceled']);
    await Visitor.cancels(service, flow, ADA);
    await other.untilReceived(2);
    await untilIdle(service);
    expect(toldOf(ADA)).toEqual(['started']);
    expect(other.receiver.types).toEqual(['session.started', 'session.canceled']);
  });
});
