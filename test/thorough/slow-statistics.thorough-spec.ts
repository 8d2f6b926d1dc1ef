import { migrate } from '../../src/platform/database/schema/migrate';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { Service, type Tenant } from '../support/service';
import { until } from '../support/until';

const STATS = '/api/v1/public/stats';

/** Makes statistics slow: whoever reads outcomes sleeps first. */
const SLOW = (seconds: number) => `
  ALTER TABLE outcomes RENAME TO stored_outcomes;
  CREATE FUNCTION slow_outcomes() RETURNS SETOF stored_outcomes LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN QUERY SELECT * FROM stored_outcomes; END $$;
  CREATE VIEW outcomes AS SELECT * FROM slow_outcomes()`;
const AGAIN = 'DROP VIEW outcomes; DROP FUNCTION slow_outcomes; ALTER TABLE stored_outcomes RENAME TO outcomes';

describe('Statistics that take long', () => {
  const databases = new Databases();
  let url: string;
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    url = await databases.create();
    await migrate(url);
    service = await Service.start({ DATABASE_URL: url });
    acme = await service.workspace();
  });
  afterEach(() => connected(url, (client) => client.query(AGAIN)));
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });

  const isSlow = (seconds: number) => connected(url, (client) => client.query(SLOW(seconds)));
  const counting = () =>
    connected(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      );
      return rows.length;
    });

  it('have more time than other requests', async () => {
    await isSlow(9);
    expect(await acme.client.get(STATS)).toMatchObject({ status: 200, body: { sessions: { total: 0 } } });
  });

  it('are refused after 30 s, with what to ask instead, and are not counted any more', async () => {
    await isSlow(3600);
    const { status, body } = await acme.client.get(STATS);
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 409,
      code: 'too_many_sessions',
      detail: 'These sessions could not be counted within 30 s. Ask for fewer days, or for one flow.',
    });
    await until(counting, (count) => count === 0);
  });

  it('are not counted any more when the client has gone', async () => {
    await isSlow(3600);
    const leaving = new AbortController();
    const authorization = `Bearer ${acme.key}`;
    const asked = fetch(service.client.baseUrl + STATS, { headers: { authorization }, signal: leaving.signal });
    await until(counting, (count) => count === 1);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await until(counting, (count) => count === 0);
  });

  it('are counted one at a time for a workspace, which takes nothing from its lists', async () => {
    await isSlow(2);
    const asked = [acme.client.get(STATS), acme.client.get(STATS), acme.client.get(STATS)];
    await until(counting, (count) => count === 1);
    expect((await acme.client.get('/api/v1/public/sessions')).status).toBe(200);
    let most = 0;
    let isOver = false;
    const answered = Promise.all(asked).finally(() => (isOver = true));
    await until(counting, (count) => {
      most = Math.max(most, count);
      return isOver;
    });
    const statuses = (await answered).map(({ status }) => status);
    expect({ statuses, most }).toEqual({ statuses: [200, 200, 200], most: 1 });
  });
});
