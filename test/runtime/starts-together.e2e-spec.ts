import { randomUUID } from 'node:crypto';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, serviceForAll, type Tenant } from '../support/service';
import { until } from '../support/until';

const INIT = '/api/v1/runtime/session/init';
/** As many workspaces start sessions at once. */
const WORKSPACES = 12;
const LIMIT = 20;

interface Member {
  tenant: Tenant;
  flow: { id: string; slug: string };
}

describe('Sessions of many workspaces that start at once', () => {
  const service = serviceForAll(() => Service.start({ DATABASE_POOL_SIZE: '4' }));
  let members: Member[];

  // Half of these connections are for starts: few, so that workspaces wait for them.
  beforeEach(async () => {
    members = [];
    while (members.length < WORKSPACES) {
      const tenant = await service.workspace({ session_limit: LIMIT });
      members.push({ tenant, flow: await tenant.publishedFlow() });
    }
    // Whoever starts for the first time is read first, and written by itself.
    for (const member of members) await start(member);
  });

  const start = ({ flow }: Member, key?: string, one = service) =>
    one.client.post(INIT, { flow_slug: flow.slug }, key ? { 'idempotency-key': key } : {});

  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status);

  async function expectExact({ tenant }: Member, sessions: number): Promise<void> {
    const rows = await service.database.query('SELECT FROM flow_sessions WHERE workspace_id = $1', [tenant.id]);
    expect(rows).toHaveLength(sessions);
    expect((await tenant.usage()).sessions_used).toBe(sessions);
  }

  async function untilWaiting(count: number): Promise<void> {
    const line = `retention_session_start_queue_length ${count}\n`;
    await until(
      async () => (await service.client.get('/metrics')).body as string,
      (text) => text.includes(line),
    );
  }

  it('share transactions', async () => {
    const sharing = async () => {
      const rows = await service.database.query(
        `SELECT FROM flow_sessions WHERE workspace_id = ANY ($1)
          GROUP BY xmin::text HAVING count(DISTINCT workspace_id) > 1`,
        [members.map(({ tenant }) => tenant.id)],
      );
      return rows.length;
    };
    // Whether two wait at the same time is up to the machine: there are some rounds for it.
    let rounds = 1;
    do {
      const answers = await Promise.all(members.map((member) => start(member)));
      expect([rounds, ...statusesOf(answers)]).toEqual([rounds, ...members.map(() => 201)]);
    } while ((await sharing()) === 0 && ++rounds < LIMIT);
    expect(await sharing()).toBeGreaterThan(0);
    for (const member of members) await expectExact(member, 1 + rounds);
  });

  it('are counted exactly, each against its own limit', async () => {
    const starts = members.flatMap((member) => Array.from({ length: LIMIT + 10 }, () => start(member)));
    const statuses = statusesOf(await Promise.all(starts));
    expect(statuses.filter((status) => status === 201)).toHaveLength(WORKSPACES * (LIMIT - 1));
    expect(new Set(statuses)).toEqual(new Set([201, 403]));
    for (const member of members) await expectExact(member, LIMIT);
  });

  it('are counted exactly when two processes start them', async () => {
    const other = await Service.start({ DATABASE_POOL_SIZE: '4' });
    try {
      const starts = [service, other].flatMap((one) =>
        members.flatMap((member) => Array.from({ length: LIMIT }, () => start(member, undefined, one))),
      );
      expect(new Set(statusesOf(await Promise.all(starts)))).toEqual(new Set([201, 403]));
      for (const member of members) await expectExact(member, LIMIT);
    } finally {
      await other.stop();
    }
  });

  it('do not wait for workspaces that somebody has locked, be they among those that wait together', async () => {
    const [first, second, together, ...others] = members;
    await connected(workerDatabaseUrl(), async (client) => {
      const locked = [first, second, together].map(({ tenant }) => tenant.id);
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = ANY ($1) FOR NO KEY UPDATE', [locked]);
      let isAnswered = false;
      const waiting = [start(first).finally(() => (isAnswered = true))];
      await untilBlocking(client, 1);
      waiting.push(start(second));
      const answers = others.map((member) => start(member));
      waiting.push(start(together));
      const more = others.map((member) => start(member));
      expect(new Set(statusesOf(await Promise.all([...answers, ...more])))).toEqual(new Set([201]));
      // Who waits for a lock is turned away after 3 seconds: the others were faster.
      expect(isAnswered).toBe(false);
      await client.query('COMMIT');
      expect(statusesOf(await Promise.all(waiting))).toEqual([201, 201, 201]);
    });
    for (const member of [first, second, together]) await expectExact(member, 2);
    for (const member of others) await expectExact(member, 3);
  });

  it('give a repeated start its session, be it together with new ones and its flow archived', async () => {
    const [{ tenant, flow }] = members;
    const archived = { tenant, flow: await tenant.publishedFlow() };
    const key = randomUUID();
    const before = await start(archived, key);
    await tenant.client.put(`/api/v1/public/flows/${archived.flow.id}`, { status: 'archived' });
    await start({ tenant, flow });
    await start(archived);
    const answers = await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [tenant.id]);
      const first = start({ tenant, flow });
      await untilBlocking(client, 1);
      const waiting = [first, start({ tenant, flow }), start(archived, key)];
      await untilWaiting(2);
      await client.query('COMMIT');
      return Promise.all(waiting);
    });
    expect(statusesOf(answers)).toEqual([201, 201, 201]);
    expect(answers[2].body).toEqual(before.body);
    await expectExact(members[0], 5);
  });

  it('do not fail for one that Postgres refuses', async () => {
    const [poisoned, ...others] = members;
    await service.database.query(
      `ALTER TABLE flow_sessions ADD CONSTRAINT poison CHECK (workspace_id <> '${poisoned.tenant.id}') NOT VALID`,
    );
    try {
      const answers = await Promise.all(members.flatMap((member) => [start(member), start(member)]));
      expect(statusesOf(answers)).toEqual([500, 500, ...others.flatMap(() => [201, 201])]);
    } finally {
      await service.database.query('ALTER TABLE flow_sessions DROP CONSTRAINT poison');
    }
    await expectExact(poisoned, 1);
    for (const member of others) await expectExact(member, 3);
  });

  it('are 404 for a flow that the database has lost, though the process remembers it', async () => {
    const [{ tenant }, other] = members;
    const flow = await tenant.publishedFlow();
    expect((await start({ tenant, flow })).status).toBe(201);
    await connected(workerDatabaseUrl(), async (client) => {
      // As a database that was restored: without the checks of foreign keys.
      await client.query('SET session_replication_role = replica');
      await client.query('DELETE FROM flows WHERE id = $1', [flow.id]);
    });
    const [lost, kept] = await Promise.all([start({ tenant, flow }), start(other)]);
    expect([lost.status, lost.body.code, kept.status]).toEqual([404, 'flow_not_found', 201]);
    await service.database.query('DELETE FROM flow_sessions WHERE flow_id = $1', [flow.id]);
  });

  it('go on while as many workspaces are locked as there are connections', async () => {
    const locked = members.slice(0, 4);
    const others = members.slice(4);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM workspaces WHERE id = ANY ($1) FOR NO KEY UPDATE', [
        locked.map(({ tenant }) => tenant.id),
      ]);
      let isAnswered = false;
      const waiting = locked.map((member) => start(member).finally(() => (isAnswered = true)));
      await untilBlocking(client, 1);
      expect(new Set(statusesOf(await Promise.all(others.map((member) => start(member)))))).toEqual(new Set([201]));
      expect(isAnswered).toBe(false);
      await client.query('COMMIT');
      expect(new Set(statusesOf(await Promise.all(waiting)))).toEqual(new Set([201]));
    });
    for (const member of members) await expectExact(member, 2);
  });

  it('do not fail for one of them: a key that is taken, a flow that is archived', async () => {
    const key = randomUUID();
    const [repeated, archived, ...others] = members;
    const before = await start(repeated, key);
    await archived.tenant.client.put(`/api/v1/public/flows/${archived.flow.id}`, { status: 'archived' });

    const answers = await Promise.all([
      start(others[0]),
      start(repeated, key),
      start(archived),
      ...others.slice(1).map((member) => start(member)),
    ]);
    expect(statusesOf(answers)).toEqual([201, 201, 404, ...others.slice(1).map(() => 201)]);
    expect(answers[1].body).toEqual(before.body);
    await expectExact(repeated, 2);
    await expectExact(archived, 1);
    for (const member of others) await expectExact(member, 2);
  });
});
