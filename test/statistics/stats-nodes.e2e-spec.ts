import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import type { NodeNumbersDto } from '../../src/statistics/dto/nodes.dto';
import { DailySums } from '../../src/statistics/sums/daily-sums.service';
import { Service, type Tenant } from '../support/service';
import { accept, because, cancel, confirm, decline, go, keep, walk } from './walk';

const PUBLIC = '/api/v1/public';
const RUNTIME = '/api/v1/runtime/session';

describe('The numbers of nodes', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  const statsOf = async ({ id }: { id: string }, query = '') =>
    (await acme.client.get(`${PUBLIC}/flows/${id}/stats/nodes${query}`)).body as {
      version: number;
      sessions: number;
      nodes: NodeNumbersDto[];
    };
  const exit = (sessions: number, action: string, value: string | null = null) => ({ action, value, sessions });
  const node = (
    node_key: string,
    type: string,
    [sessions, in_progress, abandoned]: number[],
    ...exits: ReturnType<typeof exit>[]
  ) => ({ node_key, type, sessions, in_progress, abandoned, exits });
  const nobody = (node_key: string, type: string) => node(node_key, type, [0, 0, 0]);

  /** Sums all days that are over. */
  async function sumAll(): Promise<void> {
    while (await service.app.get(DailySums).sumNext());
  }

  it('equal the count by hand: who came to each, where they went on, who is there, and who stopped', async () => {
    const offer_ids = [(await acme.offer()).id, (await acme.offer({ name: 'Pause' })).id];
    const flow = await acme.publishedFlow({ offer_ids });
    const walks = [
      [],
      [go],
      [go, keep],
      [go, because('other')],
      [go, because('other'), accept],
      [go, because('other'), cancel],
      [go, because('too_expensive'), decline, keep],
      [go, because('not_using'), decline, decline],
      [go, because('not_using'), decline, decline, confirm],
      [cancel],
    ];
    for (const steps of walks) await walk(service, flow, ...steps);
    const numbers = (here: (open: number) => [number, number]) => ({
      version: 1,
      sessions: 10,
      nodes: [
        node('start', 'start', [10, ...here(1)], exit(8, 'continue'), exit(1, 'cancel')),
        node(
          'reason',
          'survey',
          [8, ...here(1)],
          exit(3, 'answer', 'other'),
          exit(2, 'answer', 'not_using'),
          exit(1, 'answer', 'too_expensive'),
          exit(1, 'keep'),
        ),
        node('offer_1', 'offer', [6, ...here(1)], exit(3, 'decline'), exit(1, 'accept'), exit(1, 'cancel')),
        node('offer_2', 'offer', [3, ...here(0)], exit(2, 'decline'), exit(1, 'keep')),
        node('confirm', 'confirm', [2, ...here(1)], exit(1, 'confirm')),
      ],
    });
    expect(await statsOf(flow)).toEqual(numbers((open) => [open, 0]));
    await service.letPass('24 hours', acme);
    expect(await statsOf(flow)).toEqual(numbers((open) => [0, open]));
    await service.letPass('2 days', acme);
    await sumAll();
    expect(await statsOf(flow)).toEqual(numbers((open) => [0, open]));
  });

  /** A survey, a branch for those who say `price`, a split of two ways for these, an offer on each way. */
  const silent = (half: string, pause: string): FlowDefinition => ({
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
        config: { ways: [{ when: { all: [{ answer: 'reason', is: '=', value: 'price' }] }, next: 'test' }] },
        next: 'sure',
      },
      {
        key: 'test',
        type: 'split',
        config: {
          ways: [
            { name: 'never', weight: 0, next: 'pause' },
            { name: 'always', weight: 1, next: 'half' },
          ],
        },
      },
      { key: 'half', type: 'offer', config: { offer_id: half }, next: 'sure' },
      { key: 'pause', type: 'offer', config: { offer_id: pause }, next: 'sure' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });

  it('of branches and splits are the ways that were gone; an archived offer is passed over, and reached by nobody', async () => {
    const [half, pause] = [(await acme.offer()).id, (await acme.offer({ name: 'Pause' })).id];
    const flow = await acme.publishedFlow({ flow_mode: 'advanced', definition: silent(half, pause) });
    await walk(service, flow, because('price'));
    await walk(service, flow, because('price'), keep);
    await acme.client.delete(`${PUBLIC}/offers/${half}`);
    await walk(service, flow, because('price'), confirm);
    await walk(service, flow, because('other'), cancel);
    const { nodes } = await statsOf(flow);
    expect(nodes).toEqual([
      node('reason', 'survey', [4, 0, 0], exit(3, 'answer', 'price'), exit(1, 'answer', 'other')),
      node('who', 'branch', [4, 0, 0], exit(3, 'way', '0'), exit(1, 'way', 'next')),
      node('test', 'split', [3, 0, 0], exit(3, 'way', 'always')),
      node('half', 'offer', [2, 1, 0], exit(1, 'keep')),
      nobody('pause', 'offer'),
      node('sure', 'confirm', [2, 0, 0], exit(1, 'cancel'), exit(1, 'confirm')),
    ]);
    const { splits } = (await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats`)).body;
    expect(splits.map(({ node_key }: { node_key: string }) => node_key)).toEqual(['test']);
  });

  it('are of one version: of the current one, or of the one that is asked for', async () => {
    const flow = await acme.publishedFlow();
    const open = await walk(service, flow, go);
    await walk(service, flow);
    const offer = await acme.offer();
    await acme.client.put(`${PUBLIC}/flows/${flow.id}`, { offer_ids: [offer.id] });
    await walk(service, flow, go, keep);
    // A session stays on the version that it began with.
    await service.client.post(`${RUNTIME}/${open}/step`, { node_key: 'reason', ...because('other') });

    const first = (here: (open: number) => [number, number]) => ({
      version: 1,
      sessions: 2,
      nodes: [
        node('start', 'start', [2, ...here(1)], exit(1, 'continue')),
        node('reason', 'survey', [1, 0, 0], exit(1, 'answer', 'other')),
        node('confirm', 'confirm', [1, ...here(1)]),
      ],
    });
    const second = {
      version: 2,
      sessions: 1,
      nodes: [
        node('start', 'start', [1, 0, 0], exit(1, 'continue')),
        node('reason', 'survey', [1, 0, 0], exit(1, 'keep')),
        nobody('offer_1', 'offer'),
        nobody('confirm', 'confirm'),
      ],
    };
    const compare = async (here: (open: number) => [number, number]) => {
      expect(await statsOf(flow)).toEqual(second);
      expect(await statsOf(flow, '?version=2')).toEqual(second);
      expect(await statsOf(flow, '?version=1')).toEqual(first(here));
    };
    await compare((open) => [open, 0]);
    await service.letPass('3 days', acme);
    await sumAll();
    await compare((open) => [0, open]);
  });

  it.each(['3', '2147483647'])('are 404 of version %s, which the flow does not have', async (version) => {
    const flow = await acme.publishedFlow();
    const { status, body } = await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats/nodes?version=${version}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it.each(['0', '-1', '1.5', 'first', '', '2147483648', '1&version=2'])(
    'are 400 of version %s, and the error names it',
    async (version) => {
      const flow = await acme.publishedFlow();
      const { status, body } = await acme.client.get(`${PUBLIC}/flows/${flow.id}/stats/nodes?version=${version}`);
      expect([status, body.errors[0].parameter]).toEqual([400, 'version']);
    },
  );

  it('count sessions that began from `from` on and before `to`', async () => {
    const flow = await acme.publishedFlow();
    for (const time of ['2026-04-30T23:59:59.999Z', '2026-05-01T00:00:00.000Z', '2026-05-31T23:59:59.999Z']) {
      await service.begunAt(time, await walk(service, flow, go, cancel));
    }
    const counted = async (query: string) => {
      const { sessions, nodes } = await statsOf(flow, query);
      return [sessions, ...nodes.map((one) => one.sessions)];
    };
    const compare = async () => {
      expect(await counted('?from=2026-05-01&to=2026-06-01')).toEqual([2, 2, 2, 0]);
      expect(await counted('?from=2026-05-01&to=2026-05-31T23:59:59.999Z')).toEqual([1, 1, 1, 0]);
      expect(await counted('?from=2026-04-30T12:00:00Z&to=2026-05-02')).toEqual([2, 2, 2, 0]);
      expect(await counted('')).toEqual([0, 0, 0, 0]);
    };
    await compare();
    await sumAll();
    await compare();
  });

  it('stay what they are when a customer is erased, and when somebody walks a preview', async () => {
    const flow = await acme.publishedFlow();
    const ada = { slug: flow.slug, customer: { id: 'ada' } };
    await walk(service, ada, go, because('other'));
    await walk(service, ada, go, keep);
    const before = await statsOf(flow);
    expect(before.sessions).toBe(2);
    await acme.client.delete(`${PUBLIC}/customers/ada`);
    const preview = (await acme.client.send('POST', `${PUBLIC}/flows/${flow.id}/preview`)).body.session_id;
    await service.client.post(`${RUNTIME}/${preview}/step`, { node_key: 'start', ...go });
    expect(await statsOf(flow)).toEqual(before);
  });
});
