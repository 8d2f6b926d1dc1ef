import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, MIGRATION_LOCK } from '../../src/platform/database/schema/migrate';
import { migrations } from '../../src/platform/database/schema/migrations';
import { Databases } from '../support/databases';
import { connected } from '../support/database';
import { ServiceProcess } from '../support/service-process';
import { TcpProxy } from '../support/tcp-proxy';

const MIGRATED = 'SELECT name FROM migrations ORDER BY id';
function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'first-start-'));
  // As root, Postgres runs under another account, which has to get in.
  chmodSync(dataDir, 0o755);
  return dataDir;
}

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

  it('on the embedded Postgres: logs only JSON lines, nothing twice, one of them with the API key of an example workspace', async () => {
    const dataDir = newDataDir();
    const service = ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    const address = await service.address();
    service.signal('SIGINT');
    expect(await service.ended).toBe(0);
    expect(service.stderr).toBe('');
    const lines = service.stdout.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const line = { level: 30, time: expect.any(Number), msg: expect.any(String) };
    expect(entries).toEqual(entries.map(() => expect.objectContaining(line)));
    expect(new Set(entries.map(({ msg }) => msg)).size).toBe(entries.length);
    expect(entries).toContainEqual({
      ...line,
      msg: `Retention Flow Service is ready on ${address} (console: ${address}/console, docs: ${address}/docs, demo: ${address}/demo)`,
    });
    const example = { ...line, api_key: expect.stringMatching(/^rf_live_/), msg: expect.stringContaining('curl') };
    expect(entries).toContainEqual(example);
    const link = expect.stringMatching(`^${address}/console#/setup/[\\w-]{43}$`);
    expect(entries).toContainEqual({ ...line, setup_link: link, msg: expect.stringContaining('first person') });
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('in a terminal: reads like text, and the first curl can be pasted', async () => {
    const dataDir = newDataDir();
    const inTerminal = ['script', '-qec', `exec ${process.execPath} dist/src/main.js`, '/dev/null'];
    const service = ServiceProcess.startCommand(inTerminal, { DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    await service.address();
    const [command] = /curl -s .*\/init .*/.exec(service.stdout)!;
    expect(JSON.parse(execFileSync('sh', ['-c', command.trim()], { encoding: 'utf8' }))).toHaveProperty('session_id');
    await service.untilPrinted(/^POST \/api\/v1\/runtime\/session\/init 201 [\d.]+ ms/m);
    service.signal('SIGTERM');
    await service.ended;
    expect(service.stdout).toMatch(/^Created the schema\r\n/m);
    expect(service.stdout).not.toContain('{"level"');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('prints the link for the first person once, on a database of its own too, and the command a new one', async () => {
    const linksIn = ({ stdout }: ServiceProcess) => stdout.match(/\/console#\/setup\/[\w-]{43}/g) ?? [];
    const counts = [];
    for (let starts = 0; starts < 2; starts++) {
      const service = ServiceProcess.start({ DATABASE_URL: databaseUrl });
      await service.address();
      counts.push(new Set(linksIn(service)).size);
    }
    expect(counts).toEqual([1, 0]);
    const main = join(__dirname, '../../dist/src/main.js');
    const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: 'https://flows.acme.example' };
    const command = ServiceProcess.startCommand(['node', main, 'setup-link'], env);
    expect(await command.ended).toBe(0);
    expect(command.stdout).toContain('https://flows.acme.example/console#/setup/');
    const local = ServiceProcess.startCommand(['node', main, 'setup-link'], {
      ...env,
      PUBLIC_URL: '',
      HOST: '::1',
      PORT: '3000',
    });
    expect(await local.ended).toBe(0);
    expect(local.stdout).toContain('http://[::1]:3000/console#/setup/');
  });

  it('warns in one line of variables that look like misspelled settings', async () => {
    const env = { DATABASE_URL: databaseUrl, TRUST_PROXYS: '10.0.0.1', EVENT_RETENTION: '7', REDIS_HOST: 'redis' };
    const service = ServiceProcess.start(env);
    await service.address();
    const lines = service.stdout.trimEnd().split('\n');
    expect(
      lines.map((line) => JSON.parse(line) as unknown).filter((line) => (line as { level: number }).level > 30),
    ).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        misspelled: [
          { name: 'TRUST_PROXYS', meant: 'TRUST_PROXY' },
          { name: 'EVENT_RETENTION', meant: 'EVENT_RETENTION_DAYS' },
        ],
        msg:
          'These environment variables are not settings, and are ignored: ' +
          'TRUST_PROXYS (TRUST_PROXY?), EVENT_RETENTION (EVENT_RETENTION_DAYS?)',
      },
    ]);
  });

  it('comes up on the schema of a newer version that replaced an index, which only makes it slower', async () => {
    await migrate(databaseUrl);
    await connected(databaseUrl, (client) => client.query('DROP INDEX flow_sessions_open'));
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl });
    expect((await fetch(`${await service.address()}/readyz`)).status).toBe(200);
    expect(service.stderr).toBe('');
  });

  it('waits while another process changes the schema, says so, and holds up no index that is made meanwhile', async () => {
    const waiting = await connected(databaseUrl, async (client) => {
      // Stands for the other process.
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const services = Array.from({ length: 3 }, () => ServiceProcess.start({ DATABASE_URL: databaseUrl }));
      for (const service of services) {
        await service.untilPrinted(/^{.*"Waiting for another process, which migrates the database"}\n$/);
      }
      await connected(databaseUrl, async (other) => {
        await other.query(`SET statement_timeout = '20s'; CREATE TABLE indexed (id integer)`);
        for (let n = 0; n < 500; n++) {
          await other.query('CREATE INDEX CONCURRENTLY indexed_by_id ON indexed (id)');
          await other.query('DROP INDEX CONCURRENTLY indexed_by_id');
        }
      });
      await client.query('COMMIT');
      return services;
    });
    for (const service of waiting) expect((await fetch(`${await service.address()}/readyz`)).status).toBe(200);
  });

  it('waits for a Postgres that is not up yet, logs a line about it, and comes up with it', async () => {
    const proxy = await TcpProxy.start(databaseUrl);
    proxy.close();
    const service = ServiceProcess.start({ DATABASE_URL: proxy.url });
    await service.untilPrinted(/^{.*"Waiting up to 6 s for the database of DATABASE_URL \(.*ECONNREFUSED.*\)"}\n$/);
    await proxy.open();
    await service.address();
    expect(service.stderr).toBe('');
    proxy.close();
  });

  it('waits for a database that does not exist yet', async () => {
    const url = new URL(databaseUrl);
    url.pathname += '_later';
    const service = ServiceProcess.start({ DATABASE_URL: url.href });
    await service.untilPrinted(/^{.*"Waiting up to 6 s .*_later\\" does not exist\)"}\n$/);
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
