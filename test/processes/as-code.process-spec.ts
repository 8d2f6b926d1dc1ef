import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { Service } from '../support/service';

const run = promisify(execFile);

/** The commands of the document, each with what it shows below, if any. */
const [exporting, planning, applying, promoting] = [
  ...readFileSync('docs/as-code.md', 'utf8').matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms),
].map(([, command, shown]) => ({ command, shown }));

interface Workspace {
  address: string;
  key: string;
}

describe('The command of the packed client, in an empty folder', () => {
  const databases = new Databases();
  const services: Service[] = [];
  let folder: string;
  let staging: Workspace;
  let production: Workspace;

  const ask = async ({ address, key }: Workspace, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) });
    return (await response.json()) as { api_key: { key: string } };
  };
  const workspace = async (): Promise<Workspace> => {
    const url = await databases.create();
    await migrate(url);
    const service = await Service.start({ DATABASE_URL: url });
    services.push(service);
    const address = service.client.baseUrl;
    const operator = { address, key: ADMIN_API_KEY };
    const { api_key } = await ask(operator, 'POST', '/api/v1/admin/workspaces', { name: 'Acme' });
    return { address, key: api_key.key };
  };
  /** What a shell in the folder prints, as a reader pastes the commands. */
  const shell = async (command: string, { address, key }: Workspace) => {
    const pasted = command.replaceAll(/http:\/\/127\.0\.0\.1:300\d/g, address).replaceAll('rf_live_…', key);
    const env = { PATH: process.env.PATH, RETENTION_FLOW_URL: address, RETENTION_FLOW_API_KEY: key };
    return (await run('bash', ['--norc', '-euc', pasted], { cwd: folder, env })).stdout;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'as-code-'));
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: 'client' })).stdout) as { filename: string }[];
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...options, `./${filename}`], { cwd: folder });
    [staging, production] = await Promise.all([workspace(), workspace()]);
    await ask(staging, 'PUT', '/api/v1/public/config', {
      offers: [{ key: 'half-price', name: 'Half price', offer_type: 'discount_percentage' }],
      flows: [
        {
          key: 'leaving-pro',
          slug: 'leaving-pro',
          status: 'published',
          name: 'Leaving Pro',
          product_name: 'Pro',
          cancellation_url: 'https://acme.example/cancel',
          offer_keys: ['half-price'],
        },
      ],
      webhooks: [{ key: 'billing', url: 'https://acme.example/hook' }],
    });
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });

  it('does what docs/as-code.md says: export, plan, apply, promote, roll back', async () => {
    await shell(exporting.command, staging);
    const exported = readFileSync(join(folder, 'flows.yaml'), 'utf8');
    expect(exported).toMatch(/^settings:\n.*^offers:\n {2}- key: half-price\n/ms);
    expect(await shell(planning.command, staging)).toBe(planning.shown);
    expect(await shell(applying.command, staging)).toBe(applying.shown);
    expect(await shell(promoting.command, production)).toBe(
      '+ offer half-price\n+ flow leaving-pro\n+ webhook billing\n3 changed, 1 unchanged.\n0 to change, 4 unchanged.\n',
    );
    expect(await shell('npx --no -- retention-flow export | diff flows.yaml - && echo same', production)).toBe(
      'same\n',
    );
    writeFileSync(join(folder, 'flows.yaml'), exported);
    expect(await shell(applying.command, production)).toBe(applying.shown);
  });

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync('client/package.json', 'utf8')) as { version: string };
    expect(await shell('npx --no -- retention-flow --version', staging)).toBe(`${version}\n`);
  });

  it('says in which line a fault is, and changes nothing: exit status 1', async () => {
    writeFileSync(join(folder, 'faulty.yaml'), 'flows:\n  - key: a\n    name: A\n    cancellation_url: nowhere\n');
    const failed = await shell('npx --no -- retention-flow apply faulty.yaml', staging).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('faulty.yaml:4: /flows/0/cancellation_url must be a URL'),
    });
    const without = shell('RETENTION_FLOW_API_KEY= npx --no -- retention-flow export', staging);
    await expect(without).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('RETENTION_FLOW_API_KEY is not set.\n'),
    });
  });

  it('is used from a program in CommonJS, too', async () => {
    const program = `const { RetentionFlow } = require('@retention-flow/client'); console.log(typeof new RetentionFlow({ baseUrl: 'http://a' }).flows.list);`;
    writeFileSync(join(folder, 'program.cjs'), program);
    expect((await run(process.execPath, ['program.cjs'], { cwd: folder })).stdout).toBe('function\n');
    writeFileSync(join(folder, 'programs.ts'), readFileSync('test/client/programs.ts'));
    const tsc = [
      resolve('node_modules/typescript/bin/tsc'),
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
    ];
    const options = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];
    for (const module of ['node16', 'nodenext']) {
      const args = [...tsc, ...options, '--module', module, 'programs.ts'];
      const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
      expect([module, stdout]).toEqual([module, '']);
    }
  });
});
