import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/schema/migrate';
import { connected } from '../support/database';
import { freePort } from '../support/free-port';
import { ServiceProcess } from '../support/service-process';
import { Databases } from '../support/databases';

const ROLE = `retention_flow_test_guest_${process.pid}`;

describe('A start with an invalid setting exits with one line that names it:', () => {
  const databases = new Databases();
  let databaseUrl: string;
  let folder: string;

  beforeAll(async () => {
    databaseUrl = await databases.create();
    await migrate(databaseUrl);
    folder = mkdtempSync(join(tmpdir(), 'refusing-'));
    chmodSync(folder, 0o755);
    await connected(databaseUrl, (client) => client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'guest'`));
  });
  afterAll(async () => {
    await connected(databaseUrl, (client) => client.query(`DROP ROLE ${ROLE}`));
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => ServiceProcess.killAll());

  async function refusal(env: Record<string, string>): Promise<string> {
    const service = ServiceProcess.start({ DATABASE_URL: databaseUrl, ...env });
    expect(await service.ended).toBe(1);
    expect(service.stdout).toBe('');
    expect(service.stderr).toMatch(/^[^\n]+\n$/);
    return service.stderr.trimEnd();
  }

  it.each([
    ['PORT', '70000'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '999.1.1.1'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_POOL_SIZE', '1'],
    ['ADMIN_API_KEY', 'short'],
    ['DEFAULT_SESSION_LIMIT', '-1'],
    ['RUNTIME_REQUESTS_PER_MINUTE', 'many'],
    ['MANAGEMENT_REQUESTS_PER_MINUTE', '1e3'],
    ['TRUST_PROXY', 'true'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', async (name, value) => {
    expect(await refusal({ [name]: value })).toMatch(new RegExp(`^${name} `));
  });

  it('none of its own in production, where a lost DATABASE_URL must not start an empty one', async () => {
    const line = await refusal({ NODE_ENV: 'production', DATABASE_URL: '' });
    expect(line).toMatch(/^DATABASE_URL must be set where NODE_ENV is production/);
  });

  const asGuest = (url: URL) => Object.assign(url, { username: ROLE, password: 'guest' });
  const withParameter = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);

  it.each([
    ['without the password that the server requires', (url: URL) => (url.password = ''), /password must be a string/],
    ['with a wrong password', (url: URL) => (url.password = 'wrong'), /password authentication failed/],
    ['with a role that may not change the schema', asGuest, /permission denied for schema public/],
    ['of a missing schema', withParameter('options', '-c search_path=nowhere'), /no schema has been selected/],
    ['of a read-only server', withParameter('options', '-c default_transaction_read_only=on'), /read-only/],
    ['with TLS, of a server without it', withParameter('sslmode', 'verify-full'), /does not support SSL/],
    ['with a missing certificate', withParameter('sslrootcert', '/nowhere/ca.pem'), /nowhere\/ca\.pem/],
    ['with an invalid port', withParameter('port', '99999'), /99999/],
  ])('DATABASE_URL %s', async (_, change, reason) => {
    // An empty database, so that there is a schema to create.
    const url = new URL(await databases.create());
    change(url);
    const line = await refusal({ DATABASE_URL: url.href });
    expect(line).toMatch(/^DATABASE_URL can't be used: /);
    expect(line).toMatch(reason);
  });

  describe('a database in which something of another program stands, and nothing is made in it:', () => {
    const MINE =
      "CREATE TABLE migrations (id serial, timestamp bigint, name text); INSERT INTO migrations (timestamp, name) VALUES (1, 'Shop1')";
    it.each([
      ['migrations of the same shape', MINE, /its table migrations is of another program \(Shop1\)\. /],
      [
        'migrations of another shape',
        'CREATE TABLE migrations (id serial, batch text)',
        /its table migrations is of another program\. /,
      ],
      [
        'a table of the same name',
        'CREATE TABLE offers (id integer)',
        /Initial1796000000000 finds what it would make, .*"offers" already exists/,
      ],
    ])('%s', async (_, sql, reason) => {
      const foreign = await databases.create();
      const tables = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname`;
      await connected(foreign, (client) => client.query(sql));
      const { rows } = await connected(foreign, (client) => client.query(tables));
      expect(await refusal({ DATABASE_URL: foreign })).toMatch(reason);
      expect((await connected(foreign, (client) => client.query(tables))).rows).toEqual(rows);
    });
  });

  it('none for tables, columns and indexes of others beside its own', async () => {
    const shared = await databases.create();
    const query = (sql: string) => connected(shared, (client) => client.query(sql));
    await query('CREATE TABLE shop (id integer)');
    await migrate(shared);
    await query('ALTER TABLE offers ADD COLUMN shop text; CREATE INDEX shop_offers ON offers (shop)');
    const service = ServiceProcess.start({ DATABASE_URL: shared });
    expect(await service.address()).toMatch(/^http/);
  });

  describe('a database', () => {
    let own: string;
    beforeEach(async () => {
      own = await databases.create();
      await migrate(own);
    });

    const changed = (sql: string) => connected(own, (client) => client.query(sql));
    const GRANTED = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE}`;
    const asRole = () => asGuest(new URL(own)).href;

    it.each([
      ['a column', 'ALTER TABLE outcomes DROP COLUMN provider CASCADE', /^The database lacks outcomes\.provider: /],
      ['a table', 'DROP TABLE billing_connections CASCADE', /^The database lacks billing_connections: /],
      [
        'a column of its type',
        'ALTER TABLE webhooks ALTER COLUMN description TYPE varchar(300)',
        /^The database lacks webhooks\.description of the type text: /,
      ],
      ['an index', 'DROP INDEX flow_sessions_idempotency_key', /^The database lacks flow_sessions_idempotency_key: /],
    ])('that lacks %s, though all migrations are noted in it', async (_, sql, reason) => {
      await changed(sql);
      expect(await refusal({ DATABASE_URL: own })).toMatch(reason);
    });

    it.each([
      [
        'one table',
        `${GRANTED}; REVOKE DELETE ON offers FROM ${ROLE}`,
        /^The role of the database needs DELETE on offers: /,
      ],
      ['none', 'SELECT', /^DATABASE_URL can't be used: its role may not read the table migrations\. /],
      [
        'all but the migrations',
        `${GRANTED}; REVOKE ALL ON migrations FROM ${ROLE}`,
        /may not read the table migrations\. /,
      ],
    ])('whose role may not use it: rights on %s', async (_, sql, reason) => {
      await changed(sql);
      const line = await refusal({ DATABASE_URL: asRole() });
      await changed(`DROP OWNED BY ${ROLE}`);
      expect(line).toMatch(reason);
    });

    it('that there is not, after a few seconds', async () => {
      const port = String(await freePort());
      const service = ServiceProcess.start({ DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing` });
      expect(await service.ended).toBe(1);
      expect(service.stderr).toMatch(/^DATABASE_URL can't be used: connect ECONNREFUSED [^\n]*\n$/);
    });
  });

  it('a command that there is not, and "migrate" without DATABASE_URL', async () => {
    for (const [command, url, reason] of [
      [
        'migrat',
        databaseUrl,
        /^There is no command "migrat", only migrate, setup-link, demo-data, rotate-encryption-key\n$/,
      ],
      ['migrate', '', /^DATABASE_URL must be set: .*\n$/],
    ] as const) {
      const refused = ServiceProcess.startCommand([process.execPath, 'dist/src/main.js', command], {
        DATABASE_URL: url,
      });
      expect([await refused.ended, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(reason);
    }
  });

  const DATA = { DATABASE_URL: '' };

  it('DATA_DIR that is a file, or inside one', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')]) {
      expect(await refusal({ ...DATA, DATA_DIR: path })).toContain(`DATA_DIR ${path} can't be used: `);
    }
  });

  it.each(['/sys/data', '/proc/data'])('DATA_DIR %s, where no folder can be made', async (path) => {
    expect(await refusal({ ...DATA, DATA_DIR: path })).toContain(`DATA_DIR ${path} can't be used: mkdir: `);
  });

  it('DATA_DIR with the data of another version of Postgres', async () => {
    const dataDir = join(folder, 'data');
    const service = ServiceProcess.start({ ...DATA, DATA_DIR: dataDir });
    await service.address();
    service.signal('SIGINT');
    await service.ended;
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '9.6\n');
    const line = await refusal({ ...DATA, DATA_DIR: dataDir });
    expect(line).toMatch(/^DATA_DIR \S+ can't be used: the embedded Postgres did not start .*incompatible/);
  });
});
