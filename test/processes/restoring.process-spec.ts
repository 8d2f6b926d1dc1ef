import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/schema/migrate';
import { createTenants } from '../faults/support/tenants';
import { connected } from '../support/database';
import { Databases } from '../support/databases';
import { Receiver, TO_LOOPBACK } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';
import { Shell } from '../support/shell';

/** The `pg_dump` that is installed has to be as new as the server: `.ci/postgres-15` starts one. */
(process.env.TEST_DATABASE_URL ? describe : describe.skip)('A backup, by the commands of docs/deploy.md,', () => {
  const databases = new Databases();
  const NAME = `retention_flow_${randomUUID().slice(0, 8)}`;
  const OWNER = `${NAME}_owner`;
  const RESTORED = `${NAME}_restored`;
  let server: URL;
  let receiver: Receiver;
  let folder: string;

  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const query = async <Row extends object>(database: string, sql: string) =>
    (await connected(urlOf(database), (client) => client.query<Row>(sql))).rows;

  beforeAll(async () => {
    server = new URL(await databases.create());
    for (const role of [NAME, OWNER]) await query('postgres', `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    receiver = await Receiver.start(() => 500);
    folder = mkdtempSync(join(tmpdir(), 'restoring-'));
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    receiver.received.length = 0;
    for (const database of [NAME, RESTORED])
      await query('postgres', `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });
  afterAll(async () => {
    await receiver.stop();
    for (const role of [NAME, OWNER]) await query('postgres', `DROP ROLE ${role}`);
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['with one role', NAME, NAME],
    ['with two', OWNER, OWNER],
    ['with two, for one', OWNER, NAME],
  ])('is restored, and looked at without anything being sent: %s', async (_, owner, restoredOwner) => {
    await query('postgres', `CREATE DATABASE ${NAME} OWNER ${owner}`);
    const guide = readFileSync('docs/deploy.md', 'utf8');
    const backups = guide.slice(guide.indexOf('\n## Back up and restore'), guide.indexOf('\n## Delete old data'));
    const [dumping, looking] = [...backups.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command]) =>
      command
        .replaceAll('retention_flow.dump', join(folder, 'dump'))
        .replaceAll('retention_flow', NAME)
        .replaceAll('…@127.0.0.1:5432', `secret@${server.host}`)
        .replaceAll('3001', '0'),
    );
    const urlFor = (username: string) => Object.assign(new URL(urlOf(NAME)), { username, password: 'secret' }).href;
    const DATABASE_URL = urlFor(NAME);
    if (owner === OWNER) {
      const granting = /^REVOKE CREATE .*?;$.*?;$/ms.exec(guide)![0].replaceAll('retention_flow', NAME);
      await query(NAME, granting);
      await migrate(urlFor(OWNER));
    }
    const original = await ServiceProcess.start({ DATABASE_URL, ...TO_LOOPBACK }).address();
    const [{ slug }] = await createTenants(original, [1], receiver.url);
    const start = { method: 'POST', headers: { 'content-type': 'application/json' } };
    await fetch(`${original}/api/v1/runtime/session/init`, { ...start, body: JSON.stringify({ flow_slug: slug }) });
    await receiver.untilReceived(1);
    await ServiceProcess.killAll();

    const shell = new Shell();
    const { hostname, port, username, password } = server;
    await shell.run(`export PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGPASSWORD=${password}`);
    const restoring = owner === restoredOwner ? dumping : dumping.replace('--no-owner', '$& --no-privileges');
    expect(await shell.run(restoring.replace(/^OWNER=.*/, `OWNER=${restoredOwner}`))).toBe('');
    await shell.end();

    await query(RESTORED, `UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
    const copy = ServiceProcess.startCommand(['bash', '-c', `exec env ${looking}`], TO_LOOPBACK);
    const address = await copy.address();
    expect(await (await fetch(`${address}/console`)).text()).toContain('<body data-sends-nothing>');
    copy.signal('SIGINT');
    expect(await copy.ended).toBe(0);
    const pending = await query(RESTORED, 'SELECT status, count(*)::integer AS count FROM deliveries GROUP BY status');
    expect(pending).toEqual([{ status: 'pending', count: 1 }]);
    expect(receiver.received).toHaveLength(1);
  });
});
