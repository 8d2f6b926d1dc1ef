import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATION_LOCK } from '../../src/database/migrate';
import { migrations } from '../../src/database/migrations';
import { Databases } from '../support/databases';
import { connected } from '../support/database';
import { ServiceProcess } from '../support/service-process';
import { TcpProxy } from '../support/tcp-proxy';

jest.setTimeout(60_000);

const MIGRATED = 'SELECT name FROM migrations ORDER BY id';
/** A statement that has waited longer than the service's own statement time-outs allow. */
const WAITING_LONG = `
  SELECT FROM pg_locks
  WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)) AND clock_timestamp() - waitstart > interval '5.5 s'`;

describe('Starting', () => {
  const databases = new Databases();
  let databaseUrl: string;

  beforeEach(async () => {
    databaseUrl = await databases.create();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });

  it('four processes started at once on an empty database all come up, and one of them makes the schema', async () => {
    const all = Array.from({ length: 4 }, () => ServiceProcess.start({ DATABASE_URL: databaseUrl }));
    const addresses = await Promise.all(all.map((service) => service.address()));
    for (const address of addresses) expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(all.map(({ stderr }) => stderr)).toEqual(['', '', '', '']);
    const { rows } = await connected(databaseUrl, (client) => client.query(MIGRATED));
    expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
  });

  it('on the embedded Postgres: logs only JSON lines, one of them with the API key of an example workspace', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'first-start-'));
    // As root, Postgres runs under another account, which has to get in.
    chmodSync(dataDir, 0o755);
    const service = ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const address = await service.address();
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
    const lines = service.stdout.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = { level: 30, time: expect.any(Number), msg: expect.any(String) };
    expect(entries).toEqual(entries.map(() => expect.objectContaining(line)));
    expect(entries).toContainEqual({
      ...line,
      msg: `Retention Flow Service is ready on ${address} (console: ${address}/console, docs: ${address}/docs, demo: ${address}/demo)`,
    });
    const example = { ...line, api_key: expect.stringMatching(/^rf_live_/), msg: expect.stringContaining('curl') };
    expect(entries).toContainEqual(example);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('waits while another process changes the schema, longer than any statement time-out', async () => {
    const second = await connected(databaseUrl, async (client) => {
      // Stands for the other process.
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const service = ServiceProcess.start({ DATABASE_URL: databaseUrl });
      while ((await client.query(WAITING_LONG)).rows.length === 0);
      await client.query('COMMIT');
      return service;
    });
    expect((await fetch(`${await second.address()}/readyz`)).status).toBe(200);
  });

  it('refuses a database that is newer than the code, in one line', async () => {
    await ServiceProcess.start({ DATABASE_URL: databaseUrl }).address();
    const name = 'FromTheFuture9999999999999';
    await connected(databaseUrl, async (client) => {
      await client.query('INSERT INTO migrations (timestamp, name) VALUES (9999999999999, $1)', [name]);
    });
    const older = ServiceProcess.start({ DATABASE_URL: databaseUrl });
    expect(await older.ended).toBe(1);
    expect(older.stdout).toBe('');
    expect(older.stderr).toMatch(new RegExp(`^The database is newer than this service.*${name}.*\n$`));
  });

  it('waits for a Postgres that is not up yet, logs a line about it, and comes up with it', async () => {
    const proxy = await TcpProxy.start(databaseUrl);
    proxy.close();
    const service = ServiceProcess.start({ DATABASE_URL: proxy.url });
    await service.untilPrinted(/^{.*"Waiting up to 30 s for the database of DATABASE_URL \(.*ECONNREFUSED.*\)"}\n$/);
    await proxy.open();
    await service.address();
    expect(service.stderr).toBe('');
    proxy.close();
  });

  it('waits for a database that does not exist yet', async () => {
    const url = new URL(databaseUrl);
    url.pathname += '_later';
    const service = ServiceProcess.start({ DATABASE_URL: url.href });
    await service.untilPrinted(/^{.*"Waiting up to 30 s .*_later\\" does not exist\)"}\n$/);
    await connected(databaseUrl, (client) => client.query(`CREATE DATABASE ${url.pathname.slice(1)}`));
    await service.address();
    await ServiceProcess.killAll();
    await connected(databaseUrl, (client) => client.query(`DROP DATABASE ${url.pathname.slice(1)} WITH (FORCE)`));
  });

  it('does not wait if Postgres refuses its login, and says why in one line', async () => {
    const url = new URL(databaseUrl);
    url.username = 'nobody_by_this_name';
    const service = ServiceProcess.start({ DATABASE_URL: url.href });
    expect(await service.ended).toBe(1);
    expect(service.stdout).toBe('');
    expect(service.stderr).toMatch(/^DATABASE_URL can't be used: .*nobody_by_this_name.*\n$/);
  });

  it('says in one line that its port is taken', async () => {
    const first = await ServiceProcess.start({ DATABASE_URL: databaseUrl }).address();
    const { port } = new URL(first);
    const second = ServiceProcess.start({ DATABASE_URL: databaseUrl, PORT: port });
    expect(await second.ended).toBe(1);
    expect(second.stderr).toMatch(new RegExp(`^HOST 127.0.0.1 with PORT ${port} can't be used: .*EADDRINUSE.*\n$`));
    expect(second.stdout).toBe('');
  });
});
