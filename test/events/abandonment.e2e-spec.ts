import { idFrom, idTime } from '../../src/platform/api/ids';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Abandonment } from '../../src/events/abandonment/abandonment';
import { connected, untilBlocking, workerDatabaseUrl } from '../support/database';
import { Databases } from '../support/databases';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { addWebhook, announcements, outboxOf, recordsOf, withoutOutbox } from '../outbox/outbox';

const SESSION = '/api/v1/runtime/session';
const CONTINUE = { node_key: 'start', action: 'continue' };

/** The part of a record's id that stays when `letPass` moves its time. */
const randomOf = (id: string) => id.slice(15);

describe('Events of abandoned sessions', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);
  let slug: string;

  beforeEach(async () => {
    ({ slug } = await acme.publishedFlow());
  });

  async function begin(): Promise<string> {
    return (await service.client.post(`${SESSION}/init`, { flow_slug: slug })).body.session_id as string;
  }
  const step = async (id: string, body: object) => (await service.client.post(`${SESSION}/${id}/step`, body)).status;
  const pass = (interval: string) => service.letPass(interval, acme);
  const entries = () => outboxOf(service, acme, 'session');

  /** Searches as often as there is something to find. Returns how often. */
  async function search(one = service): Promise<number> {
    let turns = 1;
    while (await one.app.get(Abandonment).search()) turns++;
    return turns;
  }
  /** Lets time pass, searches, and returns the sessions of the outbox that are abandoned so far. */
  async function abandonedAfter(interval: string): Promise<string[]> {
    await pass(interval);
    await search();
    const abandoned = (await entries()).filter(({ type }) => type === 'session.abandoned');
    return abandoned.flatMap(({ flow_session_ids }) => flow_session_ids!.map(randomOf));
  }
  const randomsOf = async (...sessionIds: string[]) => (await recordsOf(service, sessionIds)).map(randomOf);

  /** Sessions that began at the times, in hours before now. */
  async function insertSessions(hours: string, count: number): Promise<void> {
    await begin();
    await service.database.query(
      `WITH copies AS (
        SELECT ${idFrom(idTime('at'), 'gen_random_uuid()::text')} AS id, at FROM generate_series(1, $2) AS n,
          date_trunc('milliseconds', now() - (${hours}) * interval '1 hour') AS at
      )
      INSERT INTO flow_sessions SELECT copy.* FROM copies, flow_sessions AS original, jsonb_populate_record(original,
        jsonb_build_object('id', copies.id, 'session_id', gen_random_uuid(), 'created_at', at, 'updated_at', at)) AS copy
      WHERE original.workspace_id = $1`,
      [acme.id, count],
    );
  }

  it('come once, 24 hours after the start, whatever the steps', async () => {
    await addWebhook(service, acme);
    await search();
    const id = await begin();
    expect(await abandonedAfter('23 hours')).toEqual([]);
    await step(id, CONTINUE);
    expect(await abandonedAfter('1 hour')).toEqual([]);
    const announced = announcements(service);
    expect(await abandonedAfter('6 minutes')).toEqual(await randomsOf(id));
    expect(announced).toContain(acme.id);
    expect(await abandonedAfter('100 days')).toHaveLength(1);
  });

  it('come of no session that has ended', async () => {
    await addWebhook(service, acme);
    await search();
    const [kept, open] = [await begin(), await begin()];
    await step(kept, { action: 'keep' });
    expect(await abandonedAfter('25 hours')).toEqual(await randomsOf(open));
  });

  it('are the last of a session', async () => {
    await addWebhook(service, acme);
    await search();
    const id = await begin();
    const [record] = await randomsOf(id);
    expect(await abandonedAfter('25 hours')).toEqual([record]);
    expect(await step(id, { action: 'keep' })).toBe(409);
    expect(await abandonedAfter('25 hours')).toEqual([record]);
    expect((await entries()).map(({ type }) => type)).toEqual(['session.abandoned']);
  });

  it('do not come of a session that a late commit ends while it is looked for', async () => {
    await addWebhook(service, acme);
    await search();
    const [ended, left] = [await begin(), await begin()];
    await pass('25 hours');
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query(`UPDATE flow_sessions SET status = 'saved' WHERE session_id = $1`, [ended]);
      const searching = search();
      await untilBlocking(client);
      await client.query('COMMIT');
      await searching;
    });
    expect(await abandonedAfter('0')).toEqual(await randomsOf(left));
  });

  it('are looked for in no further workspace once the process stops', async () => {
    const stopping = await Service.start({ BACKGROUND_JOBS: 'true', MAX_DELIVERIES_IN_FLIGHT: '0' });
    const other = await service.workspace();
    const found = `SELECT FROM abandonment_cursors WHERE workspace_id IN ($1, $2) AND searched_until > now() - interval '25 hours'`;
    const { slug: flow_slug } = await other.publishedFlow();
    for (const tenant of [acme, other]) await addWebhook(service, tenant);
    await search();
    await begin();
    await service.client.post(`${SESSION}/init`, { flow_slug });
    for (const tenant of [acme, other]) await service.letPass('25 hours', tenant);
    await connected(workerDatabaseUrl(), async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM flow_sessions WHERE workspace_id IN ($1, $2) FOR UPDATE', [acme.id, other.id]);
      stopping.app.get(Jobs).runNow('Searching for abandoned sessions');
      await untilBlocking(client);
      const stopped = stopping.stop();
      await client.query('COMMIT');
      await stopped;
    });
    expect(await service.database.query(found, [acme.id, other.id])).toHaveLength(1);
  });

  it('come where a webhook asks for them, be it disabled, and begin when it does', async () => {
    await addWebhook(service, acme, { types: ['session.saved'] });
    await begin();
    expect(await abandonedAfter('25 hours')).toEqual([]);
    await addWebhook(service, acme, { types: ['session.abandoned'], status: 'disabled' });
    const [id] = [await begin(), await search()];
    expect(await abandonedAfter('25 hours')).toEqual(await randomsOf(id));
    await service.database.query('DELETE FROM webhooks WHERE workspace_id = $1', [acme.id]);
    await begin();
    expect(await abandonedAfter('25 hours')).toHaveLength(1);
    const cursors = 'SELECT FROM abandonment_cursors WHERE workspace_id = $1';
    expect(await service.database.query(cursors, [acme.id])).toEqual([]);
    await addWebhook(service, acme);
    expect(await abandonedAfter('0')).toHaveLength(1);
  });

  it.each([
    ['at different times', 2500, '20 + n * 0.0001', 3],
    ['at one time', 2500, '20', 2],
    ['at few times', 2500, '20 + n / 900', 2],
  ])('come once for each of many sessions left %s, in entries of at most 500', async (_, count, hours, turns) => {
    await addWebhook(service, acme);
    await search();
    await insertSessions(hours, count);
    await pass('5 hours');
    expect(await search()).toBe(turns);
    const found = (await entries()).map(({ flow_session_ids }) => flow_session_ids!);
    expect(Math.max(...found.map(({ length }) => length))).toBe(500);
    expect(found.flat()).toHaveLength(count);
    expect(new Set(found.flat()).size).toBe(count);
  });

  it('come once when two processes look for them', async () => {
    const other = await Service.start();
    try {
      await addWebhook(service, acme);
      await search();
      await insertSessions('20 + n * 0.0001', 3500);
      await pass('5 hours');
      await Promise.all([search(), search(other), search(), search(other)]);
      await search();
      const found = (await entries()).flatMap(({ flow_session_ids }) => flow_session_ids);
      expect([found.length, new Set(found).size]).toEqual([3500, 3500]);
    } finally {
      await other.stop();
    }
  });

  it('are looked for again if they could not be recorded', async () => {
    await addWebhook(service, acme);
    await search();
    const id = await begin();
    await pass('25 hours');
    await withoutOutbox(service, acme, () => expect(search()).rejects.toThrow('All workspaces'));
    expect(await entries()).toEqual([]);
    expect(await abandonedAfter('0')).toEqual(await randomsOf(id));
  });

  it('are looked for as soon as a process starts', async () => {
    const databases = new Databases();
    try {
      const url = await databases.create();
      await migrate(url);
      const prepared = await Service.start({ DATABASE_URL: url });
      await addWebhook(prepared, await prepared.workspace(), { status: 'disabled' });
      await prepared.stop();
      const started = await Service.start({
        DATABASE_URL: url,
        BACKGROUND_JOBS: 'true',
        MAX_DELIVERIES_IN_FLIGHT: '0',
      });
      while ((await started.database.query('SELECT FROM abandonment_cursors')).length === 0);
      await started.stop();
    } finally {
      await databases.dropAll();
    }
  });
});
