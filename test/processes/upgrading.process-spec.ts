import { readFileSync } from 'node:fs';
import { version } from '../../package.json';
import { migrate } from '../../src/platform/database/schema/migrate';
import { createTenants } from '../faults/support/tenants';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { OtherVersion } from '../support/other-version';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';
import { until } from '../support/until';
import { useEverything } from './use-everything';

/** A newer version adds a column to each table, as an expanding migration may. */
const EXPAND = {
  name: 'Expand9990000000001',
  statements: [
    `DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE %I ADD COLUMN added_later text NOT NULL DEFAULT ''''', name);
      END LOOP;
    END $$`,
  ],
};

describe('The way back after an upgrade:', () => {
  const databases = new Databases();
  let databaseUrl: string;
  let receiver: Receiver;

  beforeEach(async () => {
    databaseUrl = await databases.create();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await receiver.stop();
    await databases.dropAll();
  });
  afterAll(() => OtherVersion.removeAll());

  const start = (main?: string) =>
    ServiceProcess.start({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', ...TO_LOOPBACK }, 'pipe', main);
  /** What it complained of. What it tells of its start has level 30. */
  const complaints = ({ stdout, stderr }: ServiceProcess) =>
    [...stdout.split('\n').filter((line) => !line.startsWith('{"level":30,')), stderr].filter(Boolean);

  it('the previous version runs on the schema of this one', async () => {
    await migrate(databaseUrl);
    const previous = start(OtherVersion.previous().main);
    await useEverything(await previous.address(), receiver);
    expect(complaints(previous)).toEqual([]);
  });

  it('sends nothing to Slack from a version that knows no formats, after the statement of docs/deploy.md', async () => {
    const newer = start();
    const [{ key, slug }] = await createTenants(await newer.address(), [10], receiver.url);
    const webhook = { format: 'slack', url: `${receiver.url}services/T0/B0/secret`, event_types: ['session.started'] };
    const request = { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` } };
    const created = await fetch(`${await newer.address()}/api/v1/public/webhooks`, {
      ...request,
      body: JSON.stringify(webhook),
    });
    expect(created.status).toBe(201);
    newer.signal('SIGTERM');
    await newer.ended;

    const [statement] = /^UPDATE webhooks .*?;$/ms.exec(readFileSync('docs/deploy.md', 'utf8'))!;
    await connected(databaseUrl, (client) => client.query(statement));
    const address = await start(OtherVersion.previous().main).address();
    await fetch(`${address}/api/v1/runtime/session/init`, { ...request, body: JSON.stringify({ flow_slug: slug }) });
    await receiver.untilReceived(1);
    const statuses = () =>
      connected(databaseUrl, async (client) => {
        const { rows } = await client.query<{ status: string }>('SELECT status FROM deliveries ORDER BY status');
        return rows.map(({ status }) => status);
      });
    await until(statuses, (all) => all.length > 0 && !all.includes('pending'));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  it('dates the ends of sessions that the previous version stored, before the upgrade and beside this one', async () => {
    const stored = () =>
      connected(databaseUrl, async (client) => {
        const { rows } = await client.query<{ dated: number; undated: number }>(
          `SELECT (count(*) FILTER (WHERE ended_at = updated_at))::integer AS dated,
            (count(*) FILTER (WHERE ended_at IS NULL))::integer AS undated
          FROM flow_sessions WHERE status <> 'in_progress'`,
        );
        return rows[0];
      });
    const previous = start(OtherVersion.previous().main);
    await useEverything(await previous.address(), receiver);
    const address = await start().address();
    expect(await stored()).toEqual({ dated: 2, undated: 0 });
    await useEverything(address, receiver);
    await useEverything(await previous.address(), receiver);
    expect(await stored()).toEqual({ dated: 4, undated: 2 });
    await start().address();
    expect(await until(stored, ({ undated }) => undated === 0)).toEqual({ dated: 6, undated: 0 });
  });

  it('this version goes on while a newer one migrates, and starts again afterwards, with one line about it', async () => {
    const running = start();
    const address = await running.address();
    await useEverything(address, receiver);
    await start(OtherVersion.with(EXPAND).main).address();
    await useEverything(address, receiver);

    const again = start();
    await useEverything(await again.address(), receiver);
    expect(again.stdout.match(/Expand.*/g)).toEqual([`Expand9990000000001). Version ${version} can run on it"}`]);
    expect([running, again].flatMap(complaints)).toEqual([]);
  });

  it('a version that is too old for the database is refused in one line', async () => {
    const contract = {
      name: 'Contract9990000000002',
      statements: [`COMMENT ON TABLE migrations IS 'oldest version: 999.0.0'`],
    };
    await start(OtherVersion.with(contract).main).address();
    const old = start();
    expect(await old.ended).toBe(1);
    expect(old.stdout).toBe('');
    expect(old.stderr).toBe(
      `This is version ${version}, and the database is for version 999.0.0 and later (${contract.name}): start a newer version\n`,
    );
    await connected(databaseUrl, (client) =>
      client.query(`COMMENT ON TABLE migrations IS 'oldest version: ${version}'`),
    );
    await start().address();
  });
});
