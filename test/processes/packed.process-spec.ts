import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const NOBODY = 65534;
/** Where npm gets packages from, if the environment says so. */
const SETTINGS_OF_NPM = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    /^npm_config_(registry|cafile|cache|userconfig|globalconfig|(https?_)?proxy|noproxy)$|^(https?|no)_proxy$/i.test(
      name,
    ) && value
      ? [[name, value]]
      : [],
  ),
);
const isRoot = process.getuid?.() === 0;
const npm = (folder: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, encoding: 'utf8' });

/** Of `npm run pack`, away from the repository. */
describe('The packed service, in a folder with a space in its name,', () => {
  const databases = databasesForAll();
  let root: string;
  let file: string;
  /** Where it is installed as npm does by default, and without optional packages. */
  let installed: string;
  let lean: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'packed service-'));
    // As root, Postgres runs under another account, which has to get in.
    chmodSync(root, 0o755);
    file = execFileSync(process.execPath, ['scripts/pack.mjs', root], { encoding: 'utf8' }).trim();
    [installed, lean] = ['installed', 'lean'].map((name) => join(root, name));
    for (const folder of [installed, lean]) mkdirSync(folder);
    npm(installed, 'install', file);
    npm(lean, 'install', '--omit=optional', file);
  });
  afterEach(() => ServiceProcess.killAll());
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const bin = (folder: string) => join(folder, 'node_modules/.bin/retention-flow-service');
  const dataIn = (name: string) => ({ DATA_DIR: join(root, name) });
  const start = (folder: string, env: Record<string, string>, ...args: string[]) =>
    ServiceProcess.startCommand([bin(folder), ...args], env);
  const isReady = async (service: ServiceProcess) => (await fetch(`${await service.address()}/readyz`)).status;

  it('is a file of at most 6 MB', () => {
    expect(basename(file)).toMatch(/^retention-flow-service-\d+\.\d+\.\d+\.tgz$/);
    expect(statSync(file).size).toBeLessThan(6_000_000);
  });

  it('starts by npx from the file alone, with a Postgres of its own, a first session by the printed curl, and the console', async () => {
    const folder = join(root, 'empty');
    mkdirSync(folder);
    copyFileSync(file, join(folder, basename(file)));
    const command = ['sh', '-c', `cd "$0" && exec npx --yes ./${basename(file)}`, folder];
    const env = { LOG_LEVEL: 'info', HOME: process.env.HOME!, ...SETTINGS_OF_NPM, ...dataIn('npx') };
    const service = ServiceProcess.startCommand(command, env, true);
    const address = await service.address();
    const { msg } = service.stdout
      .split('\n')
      .flatMap((line) => (line.includes('curl') ? [JSON.parse(line) as { msg: string }] : []))[0];
    const [curl] = /curl -s .*\/init .*/.exec(msg)!;
    expect(JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' }))).toHaveProperty('session_id');
    for (const path of ['console', 'docs', 'docs/swagger-ui-bundle.js', 'demo', 'widget/v1.js', 'openapi.json'])
      expect([path, (await fetch(`${address}/${path}`)).status]).toEqual([path, 200]);
    service.signal('SIGINT');
    await service.ended;
    expect(service.stdout).toContain('Stopping: SIGINT');
  });

  it('keeps its data in its own folder unless told otherwise', async () => {
    const folder = join(root, 'own');
    mkdirSync(folder);
    const service = ServiceProcess.startCommand(['sh', '-c', 'cd "$0" && exec "$1"', folder, bin(installed)], {});
    await service.address();
    expect(existsSync(join(folder, '.data'))).toBe(true);
  });

  (isRoot ? it : it.skip)('runs for a user who is not root', async () => {
    const { DATA_DIR } = dataIn('nobody');
    mkdirSync(DATA_DIR);
    chownSync(DATA_DIR, NOBODY, NOBODY);
    const command = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', bin(installed)];
    expect(await isReady(ServiceProcess.startCommand(command, { DATA_DIR }))).toBe(200);
  });

  it('runs on a PostgreSQL of yours, and has each command', async () => {
    const env = { DATABASE_URL: await databases.create() };
    const migrated = start(installed, env, 'migrate');
    expect([await migrated.ended, migrated.stdout]).toEqual([0, expect.stringContaining('The database is up to date')]);
    const linked = start(installed, env, 'setup-link');
    expect([await linked.ended, linked.stdout]).toEqual([0, expect.stringContaining('/console#/setup/')]);
    const filled = start(installed, env, 'demo-data');
    expect([await filled.ended, filled.stdout]).toEqual([0, expect.stringContaining('made-up sessions')]);
    const rotated = start(installed, env, 'rotate-encryption-key');
    expect([await rotated.ended, rotated.stderr]).toEqual([1, expect.stringMatching(/^ENCRYPTION_KEY .*\n$/)]);
    const unknown = start(installed, env, 'migrat');
    expect([await unknown.ended, unknown.stderr]).toEqual([1, expect.stringMatching(/^There is no command .*\n$/)]);
    expect(await isReady(start(installed, env))).toBe(200);
  });

  it('runs on a PostgreSQL of yours without the embedded one', async () => {
    expect(await isReady(start(lean, { DATABASE_URL: await databases.create() }))).toBe(200);
  });
});
