import { send } from './support/http';
import { PostgresServer } from './support/postgres-server';
import { ServiceUnderFault } from './support/service-under-fault';
import { mayMount } from '../support/may-mount';
import type { SmallDisk } from './support/small-disk';
import { createTenants, type Tenant } from './support/tenants';
import { until } from './support/until';

const DATABASE = 'unwritable';
const ROLE = 'careful';

describe('With a database that refuses writes, the service', () => {
  let postgres: PostgresServer;
  let disk: SmallDisk | undefined;
  let service: ServiceUnderFault;
  let tenant: Tenant;

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    disk = await postgres.addSmallDisk('small');
    // The role may do what the service does, and nothing else.
    await postgres.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
    await postgres.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE} ${disk ? 'TABLESPACE small' : ''}`);
    await postgres.query(`REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC`);
    const url = new URL(postgres.url(DATABASE));
    Object.assign(url, { username: ROLE, password: ROLE });
    service = await ServiceUnderFault.start(url.href);
    [tenant] = await createTenants(service.url, [100_000]);
  });

  afterAll(async () => {
    await service?.kill();
    await postgres?.stop();
  });

  const request = (method: string, path: string, body?: object) => send(undefined, method, service.url + path, body);
  const start = () => request('POST', '/api/v1/runtime/session/init', { flow_slug: tenant.slug });
  const readyz = async () => (await request('GET', '/readyz')).status;
  const set = async (setting: string, value: string) => {
    await postgres.query(`ALTER SYSTEM SET ${setting} = ${value}`);
    await postgres.query('SELECT pg_reload_conf()');
  };
  const disconnectAll = () =>
    postgres.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [DATABASE]);

  /** Sends no starts while it waits: the service must recover without traffic. */
  const expectRecovery = async () => {
    const recoveryMs = await until('the service is ready again', async () => (await readyz()) === 200);
    process.stdout.write(`  ready again after ${recoveryMs} ms\n`);
    expect((await start()).status).toBe(201);
    const [{ used, rows }] = await postgres.query<{ used: number; rows: number }>(
      `SELECT sessions_used AS used, (SELECT count(*) FROM flow_sessions WHERE workspace_id = w.id)::integer AS rows
        FROM workspaces w WHERE id = $1`,
      [tenant.id],
      DATABASE,
    );
    expect(used).toBe(rows);
    expect(service.defects).toEqual([]);
  };

  /** Starts sessions until the service is not ready. Every response is a session or a 503. */
  const expectOutage = async () => {
    const responses: Awaited<ReturnType<typeof start>>[] = [];
    await until('the service is not ready', async () => {
      responses.push(await start());
      return (await readyz()) === 503;
    });
    const failed = responses.filter(({ status }) => status !== 201);
    expect(new Set(failed.map(({ body }) => body.code))).toEqual(new Set(['service_unavailable']));
    expect((await request('GET', '/livez')).status).toBe(200);
  };

  const expectOutageBetween = async (breakIt: () => Promise<unknown>, repair: () => Promise<unknown>) => {
    expect(await readyz()).toBe(200);
    await breakIt();
    try {
      await expectOutage();
    } finally {
      await repair();
    }
    await expectRecovery();
  };

  it.each([
    [
      'is set to read-only',
      () => set('default_transaction_read_only', 'on'),
      () => set('default_transaction_read_only', 'off'),
    ],
    [
      'allows the role only to read',
      async () => {
        await postgres.query(`ALTER ROLE ${ROLE} SET default_transaction_read_only = on`);
        await disconnectAll();
      },
      () => postgres.query(`ALTER ROLE ${ROLE} RESET default_transaction_read_only`),
    ],
    [
      'no longer lets the role log in',
      async () => {
        await postgres.query(`ALTER ROLE ${ROLE} NOLOGIN`);
        await disconnectAll();
      },
      () => postgres.query(`ALTER ROLE ${ROLE} LOGIN`),
    ],
    [
      'has changed the password of the role',
      async () => {
        await postgres.query(`ALTER ROLE ${ROLE} PASSWORD 'another'`);
        await disconnectAll();
      },
      () => postgres.query(`ALTER ROLE ${ROLE} PASSWORD '${ROLE}'`),
    ],
    [
      'accepts no connections',
      async () => {
        await postgres.query(`ALTER DATABASE ${DATABASE} ALLOW_CONNECTIONS false`);
        await disconnectAll();
      },
      () => postgres.query(`ALTER DATABASE ${DATABASE} ALLOW_CONNECTIONS true`),
    ],
    [
      'has been renamed',
      async () => {
        await postgres.query(`ALTER DATABASE ${DATABASE} ALLOW_CONNECTIONS false`);
        await disconnectAll();
        await postgres.query(`ALTER DATABASE ${DATABASE} RENAME TO elsewhere`);
        await postgres.query(`ALTER DATABASE elsewhere ALLOW_CONNECTIONS true`);
      },
      () => postgres.query(`ALTER DATABASE elsewhere RENAME TO ${DATABASE}`),
    ],
  ])('is not ready and responds 503 when the database %s, and recovers by itself', (_, breakIt, repair) =>
    expectOutageBetween(breakIt, repair),
  );

  it('is not ready when the database is set to read-only, even if only reads arrive, which are served', async () => {
    const { session_id } = (await start()).body;
    await set('default_transaction_read_only', 'on');
    try {
      await until('the service is not ready', async () => {
        expect((await request('GET', `/api/v1/runtime/session/${session_id}`)).status).toBe(200);
        return (await readyz()) === 503;
      });
    } finally {
      await set('default_transaction_read_only', 'off');
    }
    await expectRecovery();
  });

  it('replaces a read-only connection after its first failed write', async () => {
    await postgres.query(`ALTER ROLE ${ROLE} SET default_transaction_read_only = on`);
    await disconnectAll();
    const refused = await start();
    await postgres.query(`ALTER ROLE ${ROLE} RESET default_transaction_read_only`);
    expect(refused.status).toBe(503);
    // Each of the pool's connections is found out by a write of its own.
    await until('a start succeeds', async () => (await start()).status === 201);
    await until('the service is ready', async () => (await readyz()) === 200);
  });

  it('is not ready and responds 503 when the synchronous standby is gone, and probes do not pile up', async () => {
    const trials = (event: string) =>
      postgres.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = $1 AND query LIKE '%pg_logical_emit_message%' AND datname = $2`,
        [event, DATABASE],
      );
    await expectOutageBetween(
      () => set('synchronous_standby_names', `'nobody'`),
      async () => {
        await until('the database is probed again', async () => (await trials('advisory')).length === 1);
        const hanging = await trials('SyncRep');
        await set('synchronous_standby_names', `''`);
        expect(hanging).toHaveLength(1);
      },
    );
  });

  if (mayMount()) {
    it('is not ready and responds 503 when the disk is full, and recovers by itself when there is room', async () => {
      await expectOutageBetween(
        async () => disk!.fill(),
        async () => disk!.clear(),
      );
    });
  }
});
