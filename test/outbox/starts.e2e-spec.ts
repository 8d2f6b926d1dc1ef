import { randomUUID } from 'node:crypto';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { serviceForAll, workspaceForEach } from '../support/service';
import { until } from '../support/until';
import { announcements, outboxOf, recordsOf, setStartsAreEvents, withoutOutbox } from './outbox';

const INIT = '/api/v1/runtime/session/init';

describe('Events of starts', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let slug: string;

  beforeEach(async () => {
    ({ slug } = await acme.publishedFlow());
    await setStartsAreEvents(service, acme, true);
  });

  const start = (flow_slug = slug, key?: string) =>
    service.client.post(INIT, { flow_slug }, key ? { 'idempotency-key': key } : {});
  const startAll = async (count: number): Promise<string[]> => {
    const answers = await Promise.all(Array.from({ length: count }, () => start()));
    return answers.map(({ body }) => body.session_id as string);
  };
  const untilWaiting = async (count: number): Promise<void> => {
    const line = `retention_session_start_queue_length ${count}\n`;
    await until(
      async () => (await service.client.get('/metrics')).body as string,
      (text) => text.includes(line),
    );
  };

  it('are one entry for a batch, with the records of its sessions', async () => {
    await start();
    const answers = await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [acme.id]);
      const first = start();
      await untilBlocking(client, 1);
      const others = Array.from({ length: 9 }, () => start());
      await untilWaiting(others.length);
      await client.query('COMMIT');
      return Promise.all([first, ...others]);
    });
    const records = await recordsOf(
      service,
      answers.map(({ body }) => body.session_id as string),
    );
    const [, alone, together, ...more] = await outboxOf(service, acme, 'session');
    expect(more).toEqual([]);
    expect(alone).toEqual({ type: 'session.started', flow_session_ids: [records[0]], data: null });
    expect(together).toMatchObject({ type: 'session.started', data: null });
    expect(together.flow_session_ids!.toSorted()).toEqual(records.slice(1).toSorted());
  });

  it('have every session once, and are written in its transaction, at its time', async () => {
    for (let round = 0; round < 3; round++) await startAll(20);
    const wrong = await service.database.query(
      `SELECT session.id FROM flow_sessions AS session
        LEFT JOIN outbox ON outbox.workspace_id = session.workspace_id AND session.id = ANY (flow_session_ids)
        WHERE session.workspace_id = $1 GROUP BY session.workspace_id, session.id
        HAVING count(outbox.id) <> 1 OR min(outbox.xmin::text) <> session.xmin::text
          OR min(outbox.created_at) <> session.created_at`,
      [acme.id],
    );
    expect(wrong).toEqual([]);
    expect((await outboxOf(service, acme, 'session')).flatMap(({ flow_session_ids }) => flow_session_ids)).toHaveLength(
      60,
    );
  });

  it('are recorded for the workspaces that want them, and for no other of the same batch', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => service.workspace()));
    const members = await Promise.all(
      [acme, ...others].map(async (tenant) => ({ tenant, slug: (await tenant.publishedFlow()).slug })),
    );
    await setStartsAreEvents(service, others[0], true);
    for (const member of members) await start(member.slug);
    for (let round = 0; round < 5; round++) await Promise.all(members.map((member) => start(member.slug)));
    const sizes = await Promise.all(
      members.map(async ({ tenant }) =>
        (await outboxOf(service, tenant, 'session')).flatMap(({ flow_session_ids }) => flow_session_ids),
      ),
    );
    expect(sizes.map(({ length }) => length)).toEqual([6, 6, 0, 0, 0, 0, 0]);
  });

  it('begin and end with the wish for them', async () => {
    const records = async () =>
      (await outboxOf(service, acme, 'session')).flatMap(({ flow_session_ids }) => flow_session_ids);
    const [first] = await startAll(1);
    await setStartsAreEvents(service, acme, false);
    await startAll(5);
    expect(await records()).toEqual(await recordsOf(service, [first]));
    await setStartsAreEvents(service, acme, true);
    const [last] = await startAll(1);
    expect(await records()).toEqual(await recordsOf(service, [first, last]));
  });

  it('are announced when they are committed, and nothing else is', async () => {
    const announced = announcements(service);
    await start();
    await start();
    expect(announced).toEqual([acme.id, acme.id]);
    await setStartsAreEvents(service, acme, false);
    await start();
    await start();
    expect(announced).toHaveLength(2);
  });

  it('are not repeated with a start, and not recorded for one that is refused', async () => {
    const key = randomUUID();
    await start(slug, key);
    await Promise.all([start(slug, key), start(slug, key), start()]);
    const draft = await acme.flow();
    await start(draft.slug);
    const records = (await outboxOf(service, acme, 'session')).flatMap(({ flow_session_ids }) => flow_session_ids);
    expect(records).toHaveLength(2);
  });

  it.each(['the first', 'a later'])('are committed with %s start, or neither is', async (which) => {
    if (which === 'a later') await start();
    const before = (await outboxOf(service, acme, 'session')).length;
    await withoutOutbox(service, acme, async () => {
      expect((await Promise.all([start(), start(), start()])).map(({ status }) => status)).toEqual([500, 500, 500]);
    });
    expect((await acme.usage()).sessions_used).toBe(before);
    expect(await outboxOf(service, acme, 'session')).toHaveLength(before);
    expect((await start()).status).toBe(201);
    expect(await outboxOf(service, acme, 'session')).toHaveLength(before + 1);
  });
});
