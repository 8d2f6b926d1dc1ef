import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { migrations } from '../../src/platform/database/schema/migrations';
import { connected, untilBlocking } from '../support/database';
import { Databases } from '../support/databases';
import { OtherVersion } from '../support/other-version';
import { startPooler } from '../support/pooler';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';
import { useEverything } from './use-everything';

const SHIPPED = migrations.map(({ name }) => name);
const [INITIAL] = SHIPPED;
const MIGRATED = `SELECT name FROM migrations ORDER BY id`;
const INDEXES = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('sessions_later')`;

const CONCURRENT = {
  name: 'Index9990000000001',
  transaction: false as const,
  statements: [
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_later',
    'CREATE INDEX CONCURRENTLY sessions_later ON flow_sessions (workspace_id, updated_at)',
  ],
};

describe('Migrating', () => {
  const databases = new Databases();
  let databaseUrl: string;

  beforeEach(async () => {
    databaseUrl = await databases.create();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });
  afterAll(() => OtherVersion.removeAll());

  const query = async <Row extends object>(sql: string) =>
    (await connected(databaseUrl, (client) => client.query<Row>(sql))).rows;
  const migrated = async () => (await query<{ name: string }>(MIGRATED)).map(({ name }) => name);
  const start = ({ main }: OtherVersion, url = databaseUrl) =>
    ServiceProcess.start({ DATABASE_URL: url, BACKGROUND_JOBS: 'false' }, 'pipe', main);

  it('refuses a list in which a migration is older than one that has run', async () => {
    expect(await start(OtherVersion.with()).address()).toMatch(/^http/);
    await ServiceProcess.killAll();
    const earlier = { name: 'Earlier1796850000000', statements: ['CREATE TABLE earlier (id integer)'] };
    const refused = start(OtherVersion.with(earlier));
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toMatch(
      /^The migration Earlier1796850000000 is pending, and \w+, which is later, has run: [^\n]+\n$/,
    );
    expect(await migrated()).toEqual(SHIPPED);
  });

  it('keeps what succeeded if a later migration fails, and goes on from there', async () => {
    const table = { name: 'Table9990000000001', statements: ['CREATE TABLE later (id integer)'] };
    const failing = { name: 'Failing9990000000002', statements: ['DROP TABLE later', 'SELECT 1 / 0'] };
    const failed = start(OtherVersion.with(table, failing));
    expect(await failed.ended).toBe(1);
    expect(failed.stderr).toContain('division by zero');
    expect(await migrated()).toEqual([...SHIPPED, table.name]);
    await start(OtherVersion.with(table, { ...failing, statements: ['DROP TABLE later'] })).address();
    expect(await migrated()).toEqual([...SHIPPED, table.name, failing.name]);
  });

  describe('without a transaction, for CREATE INDEX CONCURRENTLY', () => {
    let newer: OtherVersion;

    beforeEach(async () => {
      newer = OtherVersion.with(CONCURRENT);
      expect(await ServiceProcess.migrate({ DATABASE_URL: databaseUrl }).ended).toBe(0);
    });

    /** Two processes, one in the middle of the index and one that waits for it, while somebody writes to the table. */
    const whileTwoMigrate = async (
      url: string,
      work: (first: ServiceProcess, second: ServiceProcess) => Promise<void>,
    ): Promise<ServiceProcess[]> =>
      connected(databaseUrl, async (client) => {
        await client.query('BEGIN; LOCK TABLE flow_sessions IN ROW EXCLUSIVE MODE');
        const first = start(newer, url);
        await untilBlocking(client);
        const second = start(newer, url);
        await second.untilPrinted(/Waiting for another process, which migrates the database/);
        await work(first, second);
        await client.query('COMMIT');
        return [first, second];
      });
    it.each(['Postgres', 'a pooler'])('one of two processes at once makes the index, through %s', async (through) => {
      const pooler = through === 'a pooler' ? await startPooler(databaseUrl) : undefined;
      const both = await whileTwoMigrate(pooler?.url ?? databaseUrl, async () => {});
      for (const process of both) await process.address();
      expect(await query(INDEXES)).toEqual([{ valid: true }]);
      expect(await migrated()).toEqual([...SHIPPED, CONCURRENT.name]);
      await ServiceProcess.killAll();
      await pooler?.stop();
    });

    it('the next process makes the index again if one was killed in the middle of it', async () => {
      const [, second] = await whileTwoMigrate(databaseUrl, async (first) => {
        first.signal('SIGKILL');
        await first.ended;
      });
      await second.address();
      expect(await query(INDEXES)).toEqual([{ valid: true }]);
      expect(await migrated()).toEqual([...SHIPPED, CONCURRENT.name]);
    });
  });

  describe('with a role of its own, as docs/deploy.md says', () => {
    const own = randomUUID().slice(0, 8);
    const server = () => new URL(databaseUrl).href;
    const urlOf = (role: string) => {
      const url = new URL(databaseUrl);
      return Object.assign(url, { username: role, password: 'secret', pathname: `/retention_flow_${own}` }).href;
    };
    const OWNER = `retention_flow_${own}_owner`;
    const ROLE = `retention_flow_${own}`;
    /** The statements of a document from one line to the next that is named, with names and passwords of this test. */
    const statements = (of: string, until: string) => {
      const guide = readFileSync('docs/deploy.md', 'utf8');
      const part = guide.slice(guide.indexOf(of), guide.indexOf(until));
      return [...part.matchAll(/^```sql\n(.*?)^```$/gms)].flatMap(([, block]) =>
        block.replaceAll('…', 'secret').replaceAll('retention_flow', ROLE).split(/;\n/).filter(Boolean),
      );
    };
    /** The first command of the guide after the two roles. */
    const migrateCommand = () => {
      const guide = readFileSync('docs/deploy.md', 'utf8');
      const [, command] = /^```sh\n(.*?)^```$/ms.exec(guide.slice(guide.indexOf('**Two roles,**')))!;
      return command
        .replaceAll('retention_flow', ROLE)
        .replaceAll('…@127.0.0.1:5432', `secret@${new URL(databaseUrl).host}`);
    };
    const run = (url: string, all: string[]) =>
      connected(url, async (client) => {
        for (const sql of all) await client.query(sql);
      });
    const asSuperuser = () => Object.assign(new URL(databaseUrl), { pathname: `/${ROLE}` }).href;
    let receiver: Receiver;

    beforeEach(async () => {
      receiver = await Receiver.start();
    });
    afterEach(async () => {
      await ServiceProcess.killAll();
      await receiver.stop();
      await run(server(), [`DROP DATABASE ${ROLE} WITH (FORCE)`, `DROP ROLE ${ROLE}`, `DROP ROLE ${OWNER}`]);
    });
    const service = (main?: string) =>
      ServiceProcess.start({ DATABASE_URL: urlOf(ROLE), LOG_LEVEL: 'warn', ...TO_LOOPBACK }, 'pipe', main);
    const refusal = async (main?: string) => {
      const refused = service(main);
      expect([await refused.ended, refused.stdout]).toEqual([1, '']);
      return refused.stderr;
    };
    const succeeds = async (main?: string) => {
      const migrating = main
        ? ServiceProcess.migrate({ DATABASE_URL: urlOf(OWNER) }, main)
        : ServiceProcess.startCommand(['bash', '-c', `exec env ${migrateCommand()}`], {});
      expect([await migrating.ended, migrating.stderr]).toEqual([0, '']);
      return [...migrating.stdout.matchAll(/"msg":"(.*)"/g)].map(([, line]) => line);
    };
    const works = async (main?: string) => {
      const started = service(main);
      await useEverything(await started.address(), receiver);
      expect(started.stdout.match(/"level":[^3].*/g)).toBeNull();
      expect(started.stderr).toBe('');
      started.signal('SIGKILL');
      await started.ended;
    };

    it('the service does all that it does with a role that may not change the schema', async () => {
      const [owner, role, database, ...rights] = statements('**Two roles,**', "If the service's role owns");
      await run(server(), [owner, role, database]);
      await run(asSuperuser(), rights);
      expect(await refusal()).toMatch(
        new RegExp(`^DATABASE_URL can't be used: .*${INITIAL}.* pending .*permission denied .*"node .* migrate".*\n$`),
      );
      expect(await succeeds()).toEqual(['Created the schema', 'The database is up to date']);
      await works();
      expect(await succeeds()).toEqual(['The database is up to date']);

      const newer = OtherVersion.with({
        name: 'Later9990000000001',
        statements: ['ALTER TABLE flows ADD COLUMN added_later text', 'CREATE TABLE later (id integer)'],
      });
      expect(await refusal(newer.main)).toMatch(/Later9990000000001.* pending .*must be owner of table flows/);
      await works();
      await succeeds(newer.main);
      await works(newer.main);
      const later = `SELECT has_table_privilege('${ROLE}', 'later', 'SELECT, INSERT, UPDATE, DELETE') AS granted`;
      expect((await connected(asSuperuser(), (client) => client.query(later))).rows).toEqual([{ granted: true }]);
    });

    it('a service whose role owns the schema can become one whose role does not', async () => {
      const [owner, role, , ...rights] = statements('**Two roles,**', "If the service's role owns");
      await run(server(), [owner, role, `CREATE DATABASE ${ROLE} OWNER ${ROLE}`]);
      await works();
      await run(asSuperuser(), [...statements("If the service's role owns", '**Connections.**'), ...rights]);
      await works();
      const create = connected(urlOf(ROLE), (client) => client.query('CREATE TABLE mine (id integer)'));
      await expect(create).rejects.toThrow('permission denied for schema public');
    });
  });
});
