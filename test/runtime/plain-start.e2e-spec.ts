import fc from 'fast-check';
import { FlowSession } from '../../src/sessions/flow-session.entity';
import { serviceForAll, type Tenant } from '../support/service';
import { plainStart, type Start } from './plain-start';

const FLOWS = 2;
const ORIGIN = 'https://acme.example';
const RUNS = 25;

/** What happens to a workspace. `times`: the same start so often at once. */
type Event =
  | { kind: 'start'; times: number; flow: number; key?: string; customer?: string; origin?: string }
  | { kind: 'limit'; session_limit: number }
  | { kind: 'status'; flow: number; status: 'published' | 'draft' }
  | { kind: 'month' };

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const flow = fc.nat({ max: FLOWS - 1 });
const start = fc.record({
  kind: fc.constant('start' as const),
  times: fc.constantFrom(1, 1, 1, 2, 5),
  // One more than there are.
  flow: fc.nat({ max: FLOWS }),
  key: maybe('key-of-a-first-visit', 'key-of-another-one'),
  customer: maybe('cus_1', 'cus_2'),
  origin: maybe(ORIGIN, 'https://evil.example'),
});
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: start },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('limit' as const), session_limit: fc.nat({ max: 6 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      flow,
      status: fc.constantFrom('published' as const, 'draft' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'month' as const }) },
);

/** A workspace with its flows, whose sessions are called by the order in which they first came. */
interface World {
  tenant: Tenant;
  flows: { id: string; slug: string }[];
  start: (start: Start) => Promise<string>;
  known: string[];
}

describe('Starts of sessions', () => {
  const service = serviceForAll();

  const overHttp = async ({ slug, origin, customer, key }: Start): Promise<string> => {
    const { body } = await service.client.post(
      '/api/v1/runtime/session/init',
      { flow_slug: slug, ...(customer && { customer: { id: customer } }) },
      { ...(key && { 'idempotency-key': key }), ...(origin && { origin }) },
    );
    return body.session_id ?? body.code;
  };

  const newWorld = async (by: World['start']): Promise<World> => {
    const tenant = await service.workspace({ session_limit: 3, allowed_origins: [ORIGIN] });
    const flows = [];
    while (flows.length < FLOWS) flows.push(await tenant.publishedFlow());
    return { tenant, flows, start: by, known: [] };
  };

  /** What came of an event, and of everything until then. */
  const happen = async (world: World, one: Event, isInTurn: boolean) => {
    const { tenant, flows, known } = world;
    const answers: string[] = [];
    if (one.kind === 'limit') {
      const path = `/api/v1/admin/workspaces/${tenant.id}`;
      expect((await service.operator.put(path, { session_limit: one.session_limit })).status).toBe(200);
    }
    if (one.kind === 'month') await service.endMonth(tenant);
    if (one.kind === 'status') {
      const path = `/api/v1/public/flows/${flows[one.flow].id}`;
      expect((await tenant.client.put(path, { status: one.status })).status).toBe(200);
    }
    if (one.kind === 'start') {
      const { times, flow, ...more } = one;
      const slug = flows.at(flow)?.slug ?? 'no-such-flow';
      const starts = Array.from({ length: times }, () => () => world.start({ slug, ...more }));
      if (isInTurn) for (const begin of starts) answers.push(await begin());
      else answers.push(...(await Promise.all(starts.map((begin) => begin()))));
    }
    const named = answers.map((answer) => {
      if (!/^[0-9a-f-]{36}$/.test(answer)) return answer;
      if (!known.includes(answer)) known.push(answer);
      return `session ${known.indexOf(answer)}`;
    });
    const rows = await service.database.manager.find(FlowSession, { where: { workspace_id: tenant.id } });
    return {
      answers: named.toSorted(),
      used: (await tenant.usage()).sessions_used,
      sessions: rows
        .map(({ session_id, customer_id, flow_id, flow_version, current_node_key }) => {
          const flow = flows.findIndex(({ id }) => id === flow_id);
          return { name: known.indexOf(session_id), customer_id, flow, flow_version, current_node_key };
        })
        .toSorted((one, other) => one.name - other.name),
    };
  };

  it('are those of a plain transaction, whatever happens before, in turn and at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 14 }), async (events) => {
        const real = await newWorld(overHttp);
        const plain = await newWorld((start) => plainStart(service.database, start));
        for (const one of events) {
          expect([one, await happen(real, one, false)]).toEqual([one, await happen(plain, one, true)]);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
