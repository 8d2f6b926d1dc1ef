import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { ADMIN_API_KEY } from '../support/environment';
import { freePort } from '../support/free-port';
import { TO_LOOPBACK } from '../support/receiver';
import { databasesForAll, ServiceProcess } from '../support/service-process';

const run = promisify(execFile);
const LOCAL = 'http://127.0.0.1:3000';

/** The programs of the README; those that need `rf` get it. */
const programs = [...readFileSync('client/README.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program]) =>
  program.includes('rf.') && !program.includes('const rf =')
    ? `import { RetentionFlow } from '@retention-flow/client';
       const rf = new RetentionFlow({ baseUrl: '${LOCAL}', apiKey: process.env.RETENTION_FLOW_API_KEY });
       ${program}`
    : program,
);

interface Packed {
  filename: string;
  files: { path: string }[];
}

describe('The packed client, installed in an empty folder', () => {
  const databases = databasesForAll();
  let folder: string;
  let packed: Packed;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'client-'));
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    [packed] = JSON.parse((await run('npm', pack, { cwd: 'client' })).stdout) as Packed[];
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...options, `./${packed.filename}`], { cwd: folder });
    mkdirSync(join(folder, 'node_modules/@types'));
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
    writeFileSync(join(folder, 'programs.ts'), readFileSync('test/client/programs.ts'));
    programs.forEach((program, index) => writeFileSync(join(folder, `readme-${index}.ts`), program));
    address = await ServiceProcess.start({ DATABASE_URL: await databases.create(), ...TO_LOOPBACK }).address();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });

  it('has what runs, its types, README, its license and those of the packages in it, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !/^dist\/.*\.(js|d\.ts)$|^dist\/cjs\/package\.json$/.test(path)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD_PARTY_LICENSES.txt',
      'dist/command.cjs',
      'dist/mcp.cjs',
      'package.json',
    ]);
    expect(paths).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/api.d.ts']));
  });

  /** What the compiler says about programs in the folder. */
  const compiled = async (files: string[], ...options: string[]): Promise<string> => {
    const usual = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2023'];
    const args = [resolve('node_modules/typescript/bin/tsc'), ...usual, ...options, ...files];
    return run(process.execPath, args, { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  };
  const nodenext = ['--module', 'nodenext', '--types', 'node'];
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', 'node'];

  it.each([
    ['nodenext', nodenext],
    ['bundler', bundler],
  ])('takes good programs and refuses bad ones, those of its README too: %s', async (_, options) => {
    const readme = programs.map((__, index) => `readme-${index}.ts`);
    expect(await compiled(['programs.ts', ...readme], ...options)).toBe('');
  });

  it('would not get away with types that refuse nothing', async () => {
    const lines = readFileSync('test/client/programs.ts', 'utf8').replaceAll(
      /@retention-flow\/client/g,
      './anything.js',
    );
    writeFileSync(join(folder, 'lax.ts'), lines);
    const imported = /import \{([^}]*)\}/
      .exec(lines)![1]
      .match(/(type )?\w+/g)!
      .map((name) => name.replace('type ', ''));
    const any = imported.map((name) => `export const ${name}: any; export type ${name} = any;`);
    writeFileSync(join(folder, 'anything.d.ts'), any.join('\n'));
    const complaints = (await compiled(['lax.ts'], ...nodenext)).match(/error TS2578: Unused '@ts-expect-error'/g);
    expect(complaints).toHaveLength(lines.match(/^\s*\/\/ @ts-expect-error/gm)!.length);
  });

  /** Starts a program of the README, as JavaScript, on the service of this test. */
  const started = (program: string, env: Record<string, string>) => {
    const file = join(folder, `${programs.indexOf(program)}.js`);
    const code = program.replaceAll(LOCAL, address).replaceAll(/: string\b|!(?=[),])/g, '');
    writeFileSync(file, code);
    return spawn(process.execPath, [file], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const printed = async (program: string, env: Record<string, string>): Promise<string> => {
    const child = started(program, env);
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(errors).toBe('');
    return out;
  };

  it('runs the programs of its README', async () => {
    const response = await fetch(`${address}/api/v1/admin/workspaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_API_KEY}`, 'content-type': 'application/json' },
      body: '{"name":"Acme"}',
    });
    const { id, api_key } = (await response.json()) as { id: string; api_key: { key: string } };
    const env = { RETENTION_FLOW_API_KEY: api_key.key };
    const [create, rename, lists, poll, report, download, receive, errors, createKey, sign, page] = programs;

    const slug = (await printed(create, env)).trim();
    expect(slug).toMatch(/^leaving-pro-/);

    const port = await freePort();
    const hook = `const { secret } = await rf.webhooks.create({ url: 'http://127.0.0.1:${port}/' }); console.log(secret);`;
    const prepared = lists.slice(0, lists.indexOf('const { sessions')) + hook;
    const secret = (await printed(prepared, env)).trim();
    const receiver = started(receive, { WEBHOOK_SECRET: secret, PORT: String(port) });
    try {
      const post = () =>
        fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(({ status }) => status);
      let status: number | undefined;
      // Until it listens, unless it ends.
      while (status === undefined && receiver.exitCode === null) status = await post().catch(() => undefined);
      expect(status).toBe(401);
      const told = once(receiver.stdout, 'data');
      const left = `${page}\nconsole.log((await leave('${slug}')).status);`;
      expect(await printed(left, {})).toBe('saved\n');
      expect(String(await told)).toBe('session.saved undefined undefined\n');
    } finally {
      receiver.kill();
    }

    expect(await printed(rename, env)).toMatch(/updated: true,\s.*version: 2/s);
    expect(await printed(lists, env)).toBe('1 null\nnull undefined\n');
    // A poll sees what has settled, which takes a second.
    let polled = '';
    while (!polled.includes('saved')) polled = await printed(poll, env);
    expect(polled).toMatch(/^[0-9a-f-]{36} saved\n\d{4}-\S+Z\n$/);
    expect(await printed(download, env)).toBe('');
    expect(readFileSync(join(folder, 'canceled.csv'), 'utf8')).toMatch(/^\ufeffid,flow_id,/);
    expect(await printed(errors, env)).toMatch(/^invalid_request \[\s+{\s+pointer: '\/name'/);
    const [CUSTOMER_KEY_ID, CUSTOMER_KEY_SECRET] = (await printed(createKey, env)).trim().split(' ');
    const token = await printed(sign, { WORKSPACE_ID: id, CUSTOMER_KEY_ID, CUSTOMER_KEY_SECRET });
    const start = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ flow_slug: slug, customer_token: token.trim() });
    const sessions = `${address}/api/v1/runtime/session`;
    const { session_id } = (await (await fetch(`${sessions}/init`, { ...start, body })).json()) as Record<
      string,
      string
    >;
    await fetch(`${sessions}/${session_id}/step`, { ...start, body: '{"action":"keep"}' });
    expect(await printed(report, env)).toBe('');
  });
});
