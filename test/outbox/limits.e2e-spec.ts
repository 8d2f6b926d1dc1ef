import { Service, serviceForAll, type Tenant } from '../support/service';
import { announcements, outboxOf, setStartsAreEvents, withoutOutbox } from './outbox';

const INIT = '/api/v1/runtime/session/init';
const APPROACHING = 'workspace.limit_approaching';
const REACHED = 'workspace.limit_reached';

describe('Events of a session limit', () => {
  const service = serviceForAll();

  async function workspaceWith(session_limit: number): Promise<{ acme: Tenant; slug: string }> {
    const acme = await service.workspace({ session_limit });
    return { acme, slug: (await acme.publishedFlow()).slug };
  }
  const start = async (flow_slug: string, one = service) => (await one.client.post(INIT, { flow_slug })).status;
  const startAll = (flow_slug: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => start(flow_slug)));
  const setLimit = ({ id }: Tenant, session_limit: number) =>
    service.operator.put(`/api/v1/admin/workspaces/${id}`, { session_limit });
  const typesOf = async (acme: Tenant) => (await outboxOf(service, acme, 'workspace')).map(({ type }) => type);

  /** Starts sessions one by one, and returns what each added to the outbox. */
  async function addedByEach(acme: Tenant, slug: string, count: number): Promise<string[][]> {
    const added: string[][] = [];
    let before = (await typesOf(acme)).length;
    for (let n = 0; n < count; n++) {
      await start(slug);
      const types = await typesOf(acme);
      added.push(types.slice(before));
      before = types.length;
    }
    return added;
  }

  it('are recorded by the start that gets to 80 %, and by the one that gets to 100 %', async () => {
    const { acme, slug } = await workspaceWith(9);
    expect(await addedByEach(acme, slug, 11)).toEqual([[], [], [], [], [], [], [], [APPROACHING], [REACHED], [], []]);
    const { period_start } = await acme.usage();
    expect(await outboxOf(service, acme, 'workspace')).toEqual([
      {
        type: APPROACHING,
        flow_session_ids: null,
        data: { session_limit: 9, sessions_used: 8, period_start },
      },
      { type: REACHED, flow_session_ids: null, data: { session_limit: 9, sessions_used: 9, period_start } },
    ]);
  });

  it.each([
    [1, [[REACHED], []]],
    [4, [[], [], [], [REACHED], []]],
    [5, [[], [], [], [APPROACHING], [REACHED], []]],
  ])('round 80 %% up: a limit of %d', async (limit, expected) => {
    const { acme, slug } = await workspaceWith(limit);
    expect(await addedByEach(acme, slug, limit + 1)).toEqual(expected);
  });

  it.each([1, 2])('are recorded once when 64 starts at once use it up in %d processes', async (processes) => {
    const services = [service];
    if (processes === 2) services.push(await Service.start());
    try {
      for (const limit of [40, 64]) {
        const { acme, slug } = await workspaceWith(limit);
        const statuses = await Promise.all(
          Array.from({ length: 64 + 10 }, (_, n) => start(slug, services[n % services.length])),
        );
        expect(statuses.filter((status) => status === 201)).toHaveLength(limit);
        const entries = await outboxOf(service, acme, 'workspace');
        expect(entries.map(({ type }) => type).toSorted()).toEqual([APPROACHING, REACHED]);
        const used = (type: string) => entries.find((entry) => entry.type === type)!.data as { sessions_used: number };
        expect(used(REACHED).sessions_used).toBe(limit);
        expect(used(APPROACHING).sessions_used).toBeGreaterThanOrEqual(limit * 0.8);
        expect((await acme.usage()).sessions_used).toBe(limit);
      }
    } finally {
      for (const other of services.slice(1)) await other.stop();
    }
  });

  it('are recorded again for a raised limit, and in the next month', async () => {
    const { acme, slug } = await workspaceWith(10);
    await startAll(slug, 12);
    await setLimit(acme, 20);
    expect(await addedByEach(acme, slug, 10)).toEqual([[], [], [], [], [], [APPROACHING], [], [], [], [REACHED]]);
    await service.endMonth(acme);
    await startAll(slug, 25);
    expect((await typesOf(acme)).slice(4).toSorted()).toEqual([APPROACHING, REACHED]);
  });

  it('are not recorded when the limit moves, only when the count does', async () => {
    const { acme, slug } = await workspaceWith(20);
    await startAll(slug, 10);
    await setLimit(acme, 12);
    await start(slug);
    await setLimit(acme, 11);
    await start(slug);
    expect(await typesOf(acme)).toEqual([]);
    await setLimit(acme, 12);
    await start(slug);
    expect(await typesOf(acme)).toEqual([REACHED]);
  });

  it('stand beside those of the starts', async () => {
    const { acme, slug } = await workspaceWith(5);
    await setStartsAreEvents(service, acme, true);
    await startAll(slug, 8);
    const started = await outboxOf(service, acme, 'session');
    expect(started.flatMap(({ flow_session_ids }) => flow_session_ids)).toHaveLength(5);
    expect((await typesOf(acme)).toSorted()).toEqual([APPROACHING, REACHED]);
  });

  it('are announced', async () => {
    const { acme, slug } = await workspaceWith(10);
    await startAll(slug, 7);
    const announced = announcements(service);
    for (let n = 0; n < 5; n++) await start(slug);
    expect(announced).toEqual([acme.id, acme.id]);
  });

  it('are committed with the count, or neither is', async () => {
    const { acme, slug } = await workspaceWith(10);
    await startAll(slug, 7);
    await withoutOutbox(service, acme, async () => expect(await start(slug)).toBe(500));
    expect((await acme.usage()).sessions_used).toBe(7);
    expect(await addedByEach(acme, slug, 3)).toEqual([[APPROACHING], [], [REACHED]]);
  });
});
