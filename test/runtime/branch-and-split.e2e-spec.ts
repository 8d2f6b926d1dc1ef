import type { FlowDefinition, SplitArm } from '../../src/flows/graph/flow-definition';
import { claimsFor, secretKey, tokenOf } from '../support/customer-token';
import { Service, Tenant } from '../support/service';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';
const REASON = { node_key: 'reason', action: 'answer', option: 'price' };
const HALVES = [
  { name: 'page', weight: 50, next: 'page' },
  { name: 'offer', weight: 50, next: 'half' },
];

describe('A flow with a branch and a split', () => {
  let services: Service[];
  let service: Service;
  let acme: Tenant;
  let offer: { id: string };

  beforeAll(async () => {
    services = await Promise.all([Service.start(), Service.start()]);
    [service] = services;
  });
  afterAll(() => Promise.all(services.map((one) => one.stop())));
  beforeEach(async () => {
    acme = await service.workspace();
    offer = await acme.offer({ heading: 'Stay' });
  });

  /** A survey, then a branch: teams who find it too expensive go to the split, the others to the confirm. */
  const definition = (ways: SplitArm[] = HALVES): FlowDefinition => ({
    entry: 'reason',
    nodes: [
      {
        key: 'reason',
        type: 'survey',
        config: { title: 'Why?', options: ['price', 'other'].map((value) => ({ value, label: value })) },
        next: 'who',
      },
      {
        key: 'who',
        type: 'branch',
        config: {
          ways: [
            {
              when: {
                all: [
                  { answer: 'reason', is: '=', value: 'price' },
                  {
                    any: [
                      { attribute: 'plan', is: 'in', value: ['pro', 'team'] },
                      { attribute: 'seats', is: '>=', value: 10 },
                    ],
                  },
                ],
              },
              next: 'test',
            },
          ],
        },
        next: 'sure',
      },
      { key: 'test', type: 'split', config: { ways } },
      { key: 'page', type: 'confirm', config: { title: 'Really?' } },
      { key: 'half', type: 'offer', config: { offer_id: offer.id }, next: 'sure' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });
  const publish = (ways?: SplitArm[]) => acme.publishedFlow({ flow_mode: 'advanced', definition: definition(ways) });
  const begin = async (flow: { slug: string }, who: object = {}, on = service) =>
    (await on.client.post(`${SESSION}/init`, { flow_slug: flow.slug, ...who })).body.session_id as string;
  const step = async (id: string, body: object = REASON, on = service) =>
    (await on.client.post(`${SESSION}/${id}/step`, body)).body;
  const recordOf = async (id: string) => (await acme.client.get(`${PUBLIC}/sessions/${id}`)).body;
  const customer = (n: number | string, attributes: object = { plan: 'pro' }) => ({
    customer: { id: `cus_${n}`, attributes },
  });
  /** The node that a customer comes to behind the survey. */
  const nodeFor = async (flow: { slug: string }, who?: object, on = service) =>
    (await step(await begin(flow, who, on), REASON, on)).node.key as string;

  it('shows the customer neither, and records the way through each with the step that led there', async () => {
    const flow = await publish();
    const ids = new Set<string>();
    for (let n = 0; n < 12; n++) {
      const id = await begin(flow, customer(n));
      const { node } = await step(id);
      expect(node).toEqual(
        node.key === 'page'
          ? { key: 'page', type: 'confirm', config: { title: 'Really?' } }
          : { key: 'half', type: 'offer', config: expect.objectContaining({ heading: 'Stay' }) },
      );
      await step(id, { action: 'keep' });
      const { steps } = await recordOf(id);
      expect(steps.map(({ ways }: { ways: unknown }) => ways)).toEqual([
        { who: '0', test: node.key === 'page' ? 'page' : 'offer' },
        null,
      ]);
      ids.add(node.key);
    }
    expect(ids).toEqual(new Set(['page', 'half']));
  });

  it('sends a customer the same way in each session, process and version, until the weights change and all are drawn anew', async () => {
    const flow = await publish();
    const customers = Array.from({ length: 12 }, (_, n) => customer(n));
    const walk = (on: Service) => Promise.all(customers.map((one) => nodeFor(flow, one, on)));
    const first = await walk(services[0]);
    expect(await walk(services[1])).toEqual(first);
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { name: 'Renamed' });
    expect(await walk(services[1])).toEqual(first);
    const closed = [HALVES[0], { ...HALVES[1], weight: 0 }];
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { definition: definition(closed) });
    expect(new Set(await walk(services[0]))).toEqual(new Set(['page']));
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { definition: definition() });
    const anew = await walk(services[0]);
    expect(anew).not.toEqual(first);
    expect(await walk(services[1])).toEqual(anew);
  });

  it('knows attributes from the page and from a customer token, and sends on who has others, or none', async () => {
    const flow = await publish([{ ...HALVES[0], weight: 0 }, HALVES[1]]);
    const key = await secretKey(acme.client);
    const signed = (attributes: object) => ({ customer_token: tokenOf(key, {}, claimsFor(acme, { attributes })) });
    for (const who of [customer(1), customer(1, { seats: 10 }), signed({ plan: 'team' })]) {
      expect(await nodeFor(flow, who)).toBe('half');
    }
    const others = [
      {},
      customer(1, {}),
      customer(1, { plan: 'free', seats: 9 }),
      customer(1, { seats: '10' }),
      signed({}),
    ];
    for (const who of others) expect(await nodeFor(flow, who)).toBe('sure');
    const id = await begin(flow, customer(1));
    expect((await step(id, { ...REASON, option: 'other' })).node.key).toBe('sure');
  });

  it('passes an offer behind a split that is archived, and still records the way', async () => {
    const flow = await publish([{ ...HALVES[0], weight: 0 }, HALVES[1]]);
    await acme.client.send('DELETE', `${PUBLIC}/offers/${offer.id}`);
    const id = await begin(flow, customer(1));
    expect((await step(id)).node.key).toBe('sure');
    expect((await recordOf(id)).steps[0].ways).toEqual({ who: '0', test: 'offer' });
  });

  it('answers a step that is sent again, at once or later, as the first time', async () => {
    const flow = await publish([{ ...HALVES[0], weight: 0 }, HALVES[1]]);
    const id = await begin(flow, customer(1));
    const answers = await Promise.all([step(id), step(id, REASON, services[1]), step(id)]);
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    await acme.client.send('DELETE', `${PUBLIC}/offers/${offer.id}`);
    expect(await step(id)).toEqual(answers[0]);
    expect((await recordOf(id)).steps).toHaveLength(1);
  });

  it('leads a customer on who was erased in the middle, as one without attributes', async () => {
    const flow = await publish();
    const id = await begin(flow, customer('gone'));
    await acme.client.send('DELETE', `${PUBLIC}/customers/cus_gone`);
    expect((await step(id)).node.key).toBe('sure');
  });

  it('is walked by a preview, whose answers count and who has no attributes', async () => {
    const flow = await publish();
    const preview = async () =>
      (await acme.client.send('POST', `${PUBLIC}/flows/${flow.id}/preview`)).body.session_id as string;
    expect((await step(await preview())).node.key).toBe('sure');
    const nodes = definition().nodes.map((node) =>
      node.type === 'branch'
        ? {
            ...node,
            config: { ways: [{ when: { all: [{ answer: 'reason', is: '=', value: 'price' }] }, next: 'test' }] },
          }
        : node,
    );
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { definition: { entry: 'reason', nodes } });
    const keys = new Set<string>();
    // One of 2^29 runs sees only one way.
    for (let n = 0; n < 30; n++) keys.add((await step(await preview())).node.key);
    expect(keys).toEqual(new Set(['page', 'half']));
    expect((await step(await preview(), { ...REASON, option: 'other' })).node.key).toBe('sure');
  });

  it.each(['who', 'test'])('takes no step at %s', async (node_key) => {
    const id = await begin(await publish(), customer(1));
    const { status, body } = await service.client.post(`${SESSION}/${id}/step`, { node_key, action: 'continue' });
    expect([status, body.errors[0].pointer]).toEqual([400, '/node_key']);
  });
});
