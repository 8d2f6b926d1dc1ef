import { migrate } from '../../src/platform/database/schema/migrate';
import { Retention } from '../../src/privacy/retention.service';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { Service, type Tenant } from '../support/service';
import { addWebhook } from '../outbox/outbox';

describe('Events that are old', () => {
  const databases = new Databases();
  let url: string;
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    url = await databases.create();
    await migrate(url);
    service = await Service.start({ DATABASE_URL: url, EVENT_RETENTION_DAYS: '7' });
  });
  afterAll(async () => {
    await service.stop();
    await databases.dropAll();
  });
  beforeEach(async () => {
    await service.database.query('DELETE FROM events');
    acme = await service.workspace();
  });

  /** Adds events of an age, each with a delivery for each webhook of the workspace. */
  async function add(count: number, age: string): Promise<void> {
    await service.database.query(
      `WITH added AS (
        INSERT INTO events SELECT $1, gen_random_uuid(), 'flow.published', NULL, NULL, now() - $3::interval
        FROM generate_series(1, $2) RETURNING id
      )
      INSERT INTO deliveries SELECT $1, added.id, webhooks.id, 'webhook', NULL, 'pending', 0, now(), NULL, NULL, NULL, NULL, now(), now()
      FROM added, webhooks WHERE workspace_id = $1`,
      [acme.id, count, age],
    );
  }
  const deleteOld = (one = service) => one.app.get(Retention).deleteOld();
  async function deleteAllOld(one = service): Promise<void> {
    while (await deleteOld(one));
  }
  const count = async (table: 'events' | 'deliveries') =>
    Number((await service.database.query(`SELECT count(*) FROM ${table}`))[0].count);

  it('are deleted with their deliveries, and no others are', async () => {
    await addWebhook(service, acme);
    await addWebhook(service, acme);
    await add(3, '7 days 1 minute');
    await add(2, '6 days 23 hours 59 minutes');
    expect([await count('events'), await count('deliveries')]).toEqual([5, 10]);
    expect(await deleteOld()).toBe(false);
    expect([await count('events'), await count('deliveries')]).toEqual([2, 4]);
  });

  it('are deleted 1,000 at a time, the oldest first', async () => {
    await add(1, '8 days');
    await add(1000, '9 days');
    await add(999, '10 days');
    expect(await deleteOld()).toBe(true);
    expect(await count('events')).toBe(1000);
    const [{ youngest }] = await service.database.query(
      `SELECT max(created_at) > now() - interval '8 days 1 hour' AS youngest FROM events`,
    );
    expect(youngest).toBe(true);
    expect(await deleteOld()).toBe(true);
    expect(await deleteOld()).toBe(false);
    expect(await count('events')).toBe(0);
  });

  it('are left alone while somebody has locked them', async () => {
    await add(5, '8 days');
    await connected(url, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM events LIMIT 2 FOR KEY SHARE');
      expect(await deleteOld()).toBe(false);
      expect(await count('events')).toBe(2);
      await client.query('COMMIT');
    });
    await deleteOld();
    expect(await count('events')).toBe(0);
  });

  it('are deleted by two processes at once', async () => {
    const other = await Service.start({ DATABASE_URL: url, EVENT_RETENTION_DAYS: '7' });
    try {
      await addWebhook(service, acme);
      await add(5000, '8 days');
      await add(10, '1 day');
      await Promise.all([deleteAllOld(), deleteAllOld(other)]);
      await deleteAllOld();
      expect([await count('events'), await count('deliveries')]).toEqual([10, 10]);
    } finally {
      await other.stop();
    }
  });

  it('are deleted as soon as a process starts, in one go', async () => {
    await add(2500, '31 days');
    await add(1, '29 days');
    const started = await Service.start({ DATABASE_URL: url, BACKGROUND_JOBS: 'true', MAX_DELIVERIES_IN_FLIGHT: '0' });
    while ((await count('events')) > 1);
    await started.stop();
    expect(await count('events')).toBe(1);
  });
});
