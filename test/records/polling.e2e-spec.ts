import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { SessionEnds } from '../../src/sessions/ends/session-ends.service';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Service, Tenant } from '../support/service';
import { until } from '../support/until';

const SESSIONS = '/api/v1/public/sessions';
const RUNTIME = '/api/v1/runtime/session';
/** The margin of what has settled. */
const SETTLING_MS = 1000;

interface Item {
  id: string;
  status: string;
  updated_at: string;
}

interface Poll {
  sessions: Item[];
  updated_until: string;
}

describe('Polling for changes of sessions', () => {
  let service: Service;
  let acme: Tenant;
  let flow: { id: string; slug: string };

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace({ session_limit: 5000 });
    flow = await acme.publishedFlow();
  });

  const start = async (one = service): Promise<string> =>
    (await one.client.post(`${RUNTIME}/init`, { flow_slug: flow.slug })).body.session_id as string;
  const step = async (sessionId: string, body: object, one = service) =>
    expect((await one.client.post(`${RUNTIME}/${sessionId}/step`, body)).status).toBe(200);
  const get = (query: string) => acme.client.get(`${SESSIONS}?${query}`);
  const recordOf = async (sessionId: string): Promise<Item> => (await acme.client.get(`${SESSIONS}/${sessionId}`)).body;
  const shown = ({ id, status, updated_at }: Item) => ({ id, status, updated_at });
  const timeOf = async (expression: string): Promise<string> => {
    const [{ time }] = await service.database.query<{ time: Date }[]>(`SELECT ${expression} AS time`);
    return time.toISOString();
  };

  /** All pages of a poll. */
  async function poll(updated_since: string, limit = 100, more = ''): Promise<Poll> {
    const sessions: Item[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await get(`updated_since=${updated_since}&limit=${limit}${more}${cursor}`);
      expect(status).toBe(200);
      sessions.push(...body.sessions);
      if (body.next_cursor === null) return { sessions, updated_until: body.updated_until };
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  /** Polls until a time is settled: whatever happened before is seen. */
  async function pollUntil(since: string, time: string): Promise<Poll> {
    const sessions: Item[] = [];
    for (let updated_until = since; ;) {
      const polled = await poll(updated_until);
      sessions.push(...polled.sessions);
      ({ updated_until } = polled);
      if (updated_until > time) return { sessions, updated_until };
    }
  }

  /** Lets what happened in the workspace be so long ago that it has settled. */
  const settle = () => service.letPass('2 seconds', acme);

  it('sees each change once, in the latest state, and nothing without a change', async () => {
    const [first, second] = [await start(), await start()];
    await step(first, { node_key: 'start', action: 'continue' });
    await step(first, { action: 'keep' });
    await settle();
    const { sessions, updated_until } = await poll('2026-01-01');
    expect(sessions.map(shown)).toEqual([shown(await recordOf(second)), shown(await recordOf(first))]);
    expect(await poll(updated_until)).toMatchObject({ sessions: [] });

    await step(second, { action: 'cancel' });
    const { updated_at } = await recordOf(second);
    const next = await pollUntil(updated_until, updated_at);
    expect(next.sessions.map(shown)).toEqual([shown(await recordOf(second))]);
    expect((await poll(next.updated_until)).sessions).toEqual([]);
  });

  it('takes a change at updated_since, and leaves one at updated_until to the next poll', async () => {
    const session = await start();
    await settle();
    const { updated_at } = await recordOf(session);
    const after = new Date(Date.parse(updated_at) + 1).toISOString();
    expect((await poll(updated_at)).sessions).toHaveLength(1);
    expect((await poll(after)).sessions).toHaveLength(0);
  });

  it('is settled a second behind, and never goes back, however soon it is asked again', async () => {
    const since = await timeOf('clock_timestamp()');
    await start();
    expect(Date.parse((await poll(since)).updated_until)).toBeGreaterThanOrEqual(Date.parse(since));
    const before = Date.parse(await timeOf('clock_timestamp()'));
    const settled = Date.parse((await poll('2026-01-01')).updated_until) + SETTLING_MS;
    const after = Date.parse(await timeOf('clock_timestamp()'));
    expect(settled).toBeGreaterThanOrEqual(before - 1);
    expect(settled).toBeLessThanOrEqual(after + 1);
  });

  it.each([
    [
      'a step',
      (client: Client, id: string) =>
        client.query(
          `UPDATE flow_sessions SET status = 'canceled', updated_at = date_trunc('milliseconds', statement_timestamp()),
        ended_at = date_trunc('milliseconds', statement_timestamp()) WHERE workspace_id = $1 AND id = $2`,
          [acme.id, id],
        ),
    ],
    [
      'a start',
      (client: Client, id: string) =>
        client.query(
          `INSERT INTO flow_sessions
      SELECT (session).* FROM (SELECT jsonb_populate_record(session, jsonb_build_object(
        'id', left(session.id::text, 14) || right(gen_random_uuid()::text, 22), 'session_id', gen_random_uuid(), 'updated_at', date_trunc('milliseconds', statement_timestamp()))) AS session
      FROM flow_sessions AS session WHERE workspace_id = $1 AND id = $2) AS copy`,
          [acme.id, id],
        ),
    ],
  ])('skips nothing of %s that commits late', async (_, write) => {
    const session = await start();
    await settle();
    const { id } = await recordOf(session);
    const { updated_until: since } = await poll('2026-01-01');
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      expect((await write(client, id)).rowCount).toBe(1);
      const { rows } = await client.query<{ time: Date }>(
        `SELECT max(updated_at) AS time FROM flow_sessions WHERE workspace_id = $1`,
        [acme.id],
      );
      // Others go on meanwhile, and their changes would move a naive cursor on.
      await step(await start(), { action: 'keep' });
      const dated = rows[0].time.toISOString();
      await untilClockIs(await timeOf(`clock_timestamp() + interval '1100 milliseconds'`));
      const meanwhile = await poll(since);
      expect(meanwhile.sessions).toEqual([]);
      expect(meanwhile.updated_until <= dated).toBe(true);
      await client.query('COMMIT');
      const { sessions } = await pollUntil(meanwhile.updated_until, dated);
      expect(sessions.filter(({ updated_at }) => updated_at === dated)).toHaveLength(1);
    });
  });

  it('skips nothing that an older version ended during an upgrade, before and after it is dated', async () => {
    const session = await start();
    await settle();
    const { updated_until: since } = await poll('2026-01-01');
    await step(session, { action: 'keep' });
    const { updated_at } = await recordOf(session);
    await service.database.query('UPDATE flow_sessions SET ended_at = NULL WHERE session_id = $1', [session]);
    const found = [expect.objectContaining({ status: 'saved', updated_at })];
    expect((await pollUntil(since, updated_at)).sessions).toEqual(found);
    await service.app.get(SessionEnds).dateAll();
    const isDated = 'SELECT ended_at = updated_at AS is_dated FROM flow_sessions WHERE session_id = $1';
    expect(await service.database.query(isDated, [session])).toEqual([{ is_dated: true }]);
    expect((await pollUntil(since, updated_at)).sessions).toEqual(found);
  });

  it('skips nothing of a step and a start of the service itself that wait for a lock', async () => {
    const session = await start();
    await settle();
    const { updated_until: since } = await poll('2026-01-01');
    let dated = '';
    let waiting: Promise<unknown>[] = [];
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      // The step waits behind its own change, to record the end.
      await client.query('LOCK TABLE outbox IN SHARE MODE');
      await client.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [acme.id]);
      waiting = [step(session, { action: 'keep' }), start()];
      await untilBlocking(client, 2);
      dated = await timeOf('clock_timestamp()');
      await untilClockIs(await timeOf(`clock_timestamp() + interval '1100 milliseconds'`));
      const meanwhile = await poll(since);
      expect(meanwhile.sessions).toEqual([]);
      expect(meanwhile.updated_until < dated).toBe(true);
      await client.query('COMMIT');
    });
    await Promise.all(waiting);
    // The step is dated when it began to wait, the start when it had the lock.
    const { sessions } = await pollUntil(since, await timeOf('clock_timestamp()'));
    expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(['in_progress', 'saved']));
  });

  it('is not held up by who only reads, however long', async () => {
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT FROM flow_sessions FOR SHARE');
      const since = await timeOf('clock_timestamp()');
      await pollUntil(since, since);
    });
  });

  it('says the same when nobody may see the activity of others', async () => {
    const role = `poller_${randomUUID().slice(0, 8)}`;
    const url = new URL(workerDatabaseUrl());
    await service.database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await service.database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    [url.username, url.password] = [role, 'x'];
    const other = await Service.start({ DATABASE_URL: url.href });
    try {
      const client = other.client.with(acme.key);
      const session = await start(other);
      // Who writes under the same role is seen.
      await connected(url.href, async (writer) => {
        await writer.query('BEGIN');
        await writer.query('UPDATE flow_sessions SET updated_at = updated_at WHERE session_id = $1', [session]);
        const begun = (await writer.query<{ now: Date }>('SELECT now()')).rows[0].now.toISOString();
        await untilClockIs(await timeOf(`clock_timestamp() + interval '1100 milliseconds'`));
        const { body } = await client.get(`${SESSIONS}?updated_since=2026-01-01`);
        expect([body.updated_until <= begun, body.updated_until > '2026-01-01T00:00:00.000Z']).toEqual([true, true]);
        await writer.query('ROLLBACK');
      });
      // Who writes under another role hides when it began.
      await connected(workerDatabaseUrl(), async (writer) => {
        await writer.query('BEGIN');
        await writer.query('UPDATE flow_sessions SET updated_at = updated_at WHERE session_id = $1', [session]);
        const minute = await timeOf(`clock_timestamp() - interval '1 minute'`);
        const { body } = await client.get(`${SESSIONS}?updated_since=2026-01-01`);
        expect(body.updated_until < minute).toBe(true);
        await writer.query('ROLLBACK');
      });
    } finally {
      await other.stop();
      await service.database.query(`DROP OWNED BY ${role}`);
      await service.database.query(`DROP ROLE ${role}`);
    }
  });

  it('pages through one span, however many change meanwhile', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => start()));
    await settle();
    const first = (await get('updated_since=2026-01-01&limit=7')).body;
    await Promise.all(sessions.map((session) => step(session, { action: 'keep' })));
    await start();
    const seen: Item[] = first.sessions;
    const untils = [first.updated_until];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const { body } = await get(`updated_since=2026-01-01&limit=7&cursor=${cursor}`);
      seen.push(...body.sessions);
      untils.push(body.updated_until);
      cursor = body.next_cursor;
    }
    // What changed before its page was read belongs to the next poll.
    expect(seen).toHaveLength(7);
    expect(new Set(untils).size).toBe(1);
    const next = await pollUntil(first.updated_until, await timeOf('clock_timestamp()'));
    expect(next.sessions.filter(({ status }) => status === 'saved')).toHaveLength(20);
    expect(next.sessions).toHaveLength(21);
  });

  it('goes together with every other filter', async () => {
    const [open, saved] = [await start(), await start()];
    await step(saved, { action: 'keep' });
    await service.begunAt('2026-05-01T00:00:00.000Z', await start());
    await settle();
    const idOf = async (session: string) => (await recordOf(session)).id;
    const ids = async (more: string, since = '2026-05-02') => (await poll(since, 1, more)).sessions.map(({ id }) => id);
    expect(await ids('&status=saved')).toEqual([await idOf(saved)]);
    expect(await ids('&status=in_progress')).toEqual([await idOf(open)]);
    expect(await ids('&status=abandoned')).toEqual([]);
    expect(await ids('&status=abandoned', '2026-04-30')).toHaveLength(1);
    expect(await ids(`&flow_id=${flow.id}`)).toEqual([await idOf(saved), await idOf(open)]);
    expect(await ids(`&flow_id=${randomUUID()}`)).toEqual([]);
    expect(await ids('&customer_id=cus_1')).toEqual([]);
    expect(await ids('&to=2026-05-02', '2026-04-30')).toHaveLength(1);
  });

  it('does not take erasing for a change', async () => {
    const body = { flow_slug: flow.slug, customer: { id: 'cus_1' } };
    await service.client.post(`${RUNTIME}/init`, body);
    await settle();
    const { updated_until } = await poll('2026-01-01');
    await acme.client.delete('/api/v1/public/customers/cus_1');
    const { sessions } = await pollUntil(updated_until, await timeOf('clock_timestamp()'));
    expect(sessions).toEqual([]);
  });

  it.each(['yesterday', '2027-02-30', '', '2026-01-01T00:00:00', '9999-12-31', '9999-12-31T23:59:59.999Z'])(
    'refuses ?updated_since=%s and names it',
    async (value) => {
      const { status, body } = await get(`updated_since=${value}`);
      expect([status, body.errors.map(({ parameter }: { parameter: string }) => parameter)]).toEqual([
        400,
        ['updated_since'],
      ]);
    },
  );

  it('takes the first time there is', async () => {
    await start();
    await settle();
    expect((await poll('1970-01-01')).sessions).toHaveLength(1);
  });

  it('refuses a cursor of a list without updated_since, the reverse, and times that are none', async () => {
    await Promise.all([start(), start()]);
    await settle();
    const plain = (await get('limit=1')).body.next_cursor;
    const ofChanges = (await get('limit=1&updated_since=2026-01-01')).body.next_cursor;
    const endless = Buffer.alloc(22, 0xff).toString('base64url');
    for (const query of [
      `updated_since=2026-01-01&cursor=${plain}`,
      `cursor=${ofChanges}`,
      `updated_since=2026-01-01&cursor=${endless}`,
      `updated_since=2026-01-01&cursor=${ofChanges.slice(1)}`,
    ]) {
      const { status, body } = await get(query);
      expect([query, status, body.errors[0].parameter]).toEqual([query, 400, 'cursor']);
    }
    expect((await acme.client.get(`/api/v1/public/offers?cursor=${ofChanges}`)).status).toBe(400);
  });

  it('ends with the state of every session when 200 are walked in two processes meanwhile, and sees no change twice', async () => {
    const other = await Service.start();
    const one = (n: number) => (n % 2 ? service : other);
    const walk = async (n: number) => {
      const session = await start(one(n));
      await step(session, { node_key: 'start', action: 'continue' }, one(n >> 1));
      await step(session, { node_key: 'reason', action: 'answer', option: 'other' }, one(n >> 2));
      if (n % 4 > 0) await step(session, { action: n % 4 > 1 ? 'keep' : 'cancel' }, one(n));
    };
    try {
      const walked = { begun: 0 };
      const walkOn = async () => {
        while (walked.begun < 200) await walk(walked.begun++);
      };
      const walks = Promise.all(Array.from({ length: 6 }, walkOn));
      const polled: Item[] = [];
      let since = '2026-01-01';
      let polls = 0;
      for (; walked.begun < 200; polls++) {
        const { sessions, updated_until } = await poll(since, 200);
        polled.push(...sessions);
        since = updated_until;
        await walk(walked.begun++);
      }
      await walks;
      polled.push(...(await pollUntil(since, await timeOf('clock_timestamp()'))).sessions);

      const stored: Item[] = [];
      for (let cursor = ''; ;) {
        const { body } = await get(`limit=500${cursor}`);
        stored.push(...body.sessions);
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      const latest = new Map(polled.map((item) => [item.id, item]));
      const byId = (a: Item, b: Item) => (a.id < b.id ? -1 : 1);
      expect([...latest.values()].toSorted(byId)).toEqual(stored.toSorted(byId));
      expect(stored.length).toBeGreaterThanOrEqual(200);
      expect(polls).toBeGreaterThan(1);
      const changes = polled.map(({ id, updated_at }) => `${id} ${updated_at}`);
      expect(new Set(changes).size).toBe(changes.length);
    } finally {
      await other.stop();
    }
  });

  /** Resolves when the database's clock has passed a time. */
  async function untilClockIs(time: string): Promise<void> {
    await until(
      () => timeOf('clock_timestamp()'),
      (now) => now >= time,
    );
  }
});
