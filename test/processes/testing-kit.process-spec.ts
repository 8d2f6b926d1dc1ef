import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { programsOf, withPackages } from '../support/testing-kit';
import { until } from '../support/until';

const run = promisify(execFile);
/** Those of the data of services that were started for tests. */
const folders = () => readdirSync(tmpdir()).filter((name) => /^retention-flow-\w{6}$/.test(name));

describe('The kit for tests of the packed client, beside the packed service in an empty project,', () => {
  const programs = programsOf('docs/testing.md');
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'testing-kit-'));
    await withPackages(folder);
    for (const [name, program] of programs) writeFileSync(join(folder, name), program);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What a program of the project prints. It has settings that a project may have. */
  const printed = async (file: string, ...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/app', NODE_ENV: 'test', NO_COLOR: '1' };
    return run(process.execPath, [file, ...args], { cwd: folder, env }).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `FAILED\n${stdout}${stderr}`,
    );
  };
  const program = (name: string, text: string, ...args: string[]) => {
    writeFileSync(join(folder, name), text);
    return printed(name, ...args);
  };

  it('runs the test of its documentation in Jest', async () => {
    const output = await printed(resolve('node_modules/jest/bin/jest.js'), '--rootDir', folder, 'cancel');
    expect(output).toMatch(/Tests: +1 passed, 1 total/);
  });

  it('runs the tests of its documentation in Vitest', async () => {
    // Without the modules of this repository.
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    for (const name of ['vitest', 'vite']) {
      symlinkSync(resolve('test/processes/node_modules', name), join(folder, 'node_modules', name));
    }
    const vitest = resolve('test/processes/node_modules/vitest/vitest.mjs');
    const output = await printed(vitest, 'run', '--root', folder, 'webhook.test.ts');
    expect(output).toMatch(/Tests +2 passed \(2\)/);
  });

  it('leaves no process and no folder behind, and stops twice as once', async () => {
    const output = await program(
      'stops.mjs',
      `import { readdirSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      import { startService } from '@retention-flow/client/testing';
      const folders = () => readdirSync(tmpdir()).filter((name) => /^retention-flow-\\w{6}$/.test(name)).join();
      const before = folders();
      const service = await startService();
      console.log((await fetch(service.url + '/readyz')).status);
      await service.stop();
      await service[Symbol.asyncDispose]();
      console.log(await fetch(service.url).then(() => 'there', () => 'gone'), before === folders());`,
    );
    expect(output).toBe('200\ngone true\n');
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('ends with the tests, also by %s', async (signal) => {
    const text = `import { startService } from '@retention-flow/client/testing';
      const { url } = await startService();
      console.log(url);
      setInterval(() => undefined, 1000);`;
    writeFileSync(join(folder, 'killed.mjs'), text);
    const tests = spawn(process.execPath, ['killed.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(tests.stdout, 'data')) as [Buffer];
    const address = String(url).trim();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    const before = folders();
    tests.kill(signal);
    await until(
      () =>
        fetch(address).then(
          () => 'there',
          () => 'gone',
        ),
      (answer) => answer === 'gone',
    );
    await until(
      () => Promise.resolve(folders()),
      (now) => now.length < before.length,
    );
  });

  it('does not keep tests from ending that forget to stop it', async () => {
    const text = `import { startService } from '@retention-flow/client/testing';
      await startService();`;
    expect(await program('forgets.mjs', text)).toBe('');
  });

  it('runs a file of the service that is named, and takes settings', async () => {
    const output = await program(
      'named.mjs',
      `import { startService } from '@retention-flow/client/testing';
      const service = await startService({ package: process.argv[2], env: { DEFAULT_SESSION_LIMIT: '7' } });
      const headers = { authorization: 'Bearer ' + service.adminKey, 'content-type': 'application/json' };
      const address = service.url + '/api/v1/admin/workspaces';
      const { id } = await (await fetch(address, { method: 'POST', headers, body: '{"name":"Acme"}' })).json();
      console.log((await (await fetch(address + '/' + id, { headers })).json()).usage.session_limit);
      await service.stop();`,
      join(folder, 'service.tgz'),
    );
    expect(output).toBe('7\n');
  });

  it.each([
    ['is not installed', `process.chdir('/'); await startService()`, 'retention-flow-service is not installed in /.'],
    ['is not at the path', `await startService({ package: './none.tgz' })`, 'There is no file '],
    [
      'is another package',
      `await startService({ package: 'node_modules/@retention-flow/client' })`,
      ' is not of retention-flow-service.',
    ],
    ['has a setting that it refuses', `await startService({ env: { PORT: 'x' } })`, 'The service ended with 1:'],
  ])('says in a sentence that the service %s', async (_, call, message) => {
    const text = `import { startService } from '@retention-flow/client/testing';
      try { ${call} } catch (error) { console.log(error.message); }`;
    expect(await program('fails.mjs', text)).toContain(message);
  });

  it('shows with a fake flow, at each step of 120 walks, what the service shows with the flow of the same document', async () => {
    for (const name of ['flows.yaml', 'walks.mjs'])
      copyFileSync(join('test/processes/fake-flow', name), join(folder, name));
    const output = await printed('walks.mjs');
    expect(output).not.toContain('FAILED');
    const ends = ['canceled', 'saved'].flatMap((end) => [`graph ${end}`, `simple ${end}`]);
    const nodes = ['start', 'reason', 'half', 'pause', 'nps', 'call', 'sure'].map((key) => `graph ${key}`);
    const simple = ['start', 'reason', 'offer_1', 'offer_2', 'confirm'].map((key) => `simple ${key}`);
    const contacted = ['graph contacted', 'simple contacted'];
    expect(JSON.parse(output)).toEqual({
      differences: [],
      seen: [...ends, ...nodes, ...simple, ...contacted].toSorted((a, b) => (a < b ? -1 : 1)),
    });
  });

  it('has of a fake flow at most 110 kB, gzipped, and nothing of Node', () => {
    const text = readFileSync(join(folder, 'node_modules/@retention-flow/client/dist/testing/browser/index.js'));
    expect(gzipSync(text).length).toBeLessThanOrEqual(110_000);
    expect(String(text)).not.toMatch(/["']node:/);
  });

  it('is nothing that a page gets', async () => {
    const output = await program(
      'page.mjs',
      `import { readdirSync, readFileSync } from 'node:fs';
      const dist = 'node_modules/@retention-flow/client/dist/';
      const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
      console.log(files.filter((name) => /node:|testing/.test(readFileSync(dist + name, 'utf8'))).join() || 'none');`,
    );
    expect(output).toBe('none\n');
  });
});
