import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { Service } from '../support/service';

const run = promisify(execFile);

/** The commands of the document, each with what it shows below, if any. */
const [exporting, planning, applying, writing, promoting] = [
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
    expect(exported).toMatch(
      /^# yaml-language-server: \$schema=http.*\nsettings:\n.*^offers:\n {2}- key: half-price\n/ms,
    );
    expect(exported).not.toMatch(/webhooks|cancellation_url|allowed_origins|acme\.example/);
    expect(await shell(planning.command, staging)).toBe(planning.shown);
    expect(await shell(applying.command, staging)).toBe(applying.shown);
    await expect(shell('npx --no -- retention-flow plan flows.yaml', production)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/flows\.yaml:\d+: \/flows\/0\/cancellation_url is required of a new flow/),
    });
    await shell(writing.command, production);
    expect(await shell(promoting.command, production)).toBe(
      '+ offer half-price\n+ flow leaving-pro\n2 changed, 1 unchanged.\n0 to change, 3 unchanged.\n',
    );
    // Their first lines name their own schemas.
    const same = 'npx --no -- retention-flow export | tail -n +2 | diff <(tail -n +2 flows.yaml) - && echo same';
    expect(await shell(same, production)).toBe('same\n');
    writeFileSync(join(folder, 'flows.yaml'), exported);
    expect(await shell(applying.command, production)).toBe(applying.shown.replace(/("[^"]+") → ("[^"]+")/, '$2 → $1'));
  });

  it('takes what is of one environment to a file of its own, and several files as one', async () => {
    const secret = { name: 'On', allowed_origins: ['https://staging.example'] };
    await ask(staging, 'PUT', '/api/v1/public/workspace', secret);
    const documents = 'cat flows.yaml; echo ---; cat environment.yaml';
    const written = await shell(`npx --no -- retention-flow export --environment > flows.yaml; ${documents}`, staging);
    const [shared, environment] = written.split('---\n');
    expect(shared).toMatch(/^ {2}- key: leaving-pro\n {4}slug: leaving-pro\n {4}status: published\n {4}name: /m);
    expect(shared).not.toContain('staging.example');
    expect(environment.slice(environment.indexOf('\n') + 1)).toBe(`settings:
  name: "On"
  allowed_origins:
    - https://staging.example
  jurisdictions: []
  image_hosts: []
  require_customer_token: false
  offer_limit: null
  ending_notice_days: 3
flows:
  - key: leaving-pro
    cancellation_url: https://acme.example/cancel
    notification_email: null
    install: null
    exit: null
webhooks:
  - key: billing
    url: https://acme.example/hook
    format: standard
    event_types: []
    when: null
    test_events: false
    description: ""
`);
    const both = 'npx --no -- retention-flow plan flows.yaml environment.yaml --json';
    const plan = JSON.parse(await shell(both, staging)) as object;
    expect(plan).toEqual({ create: [], update: [], archive: [], unchanged: 4 });
    const promoted = await shell(`${both} 2>&1 || true`, production);
    expect(promoted).toMatch(
      /environment\.yaml:\d+: \/settings\/allowed_origins\/0 names staging\.example, which the workspace does not know/,
    );
    writeFileSync(join(folder, 'more.yaml'), 'flows:\n  - key: leaving-pro\n    name: Again\n');
    await expect(shell('npx --no -- retention-flow plan flows.yaml more.yaml', staging)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^flows\.yaml:\d+ and more\.yaml:3: \/flows\/0\/name is given twice/),
    });
  });

  it('overwrites no file, and writes of an environment only what is of it', async () => {
    const again = shell('npx --no -- retention-flow export --environment', staging);
    await expect(again).rejects.toMatchObject({
      code: 1,
      stderr: 'environment.yaml is there already: move it away first.\n',
    });
    const options = [
      { value: 'price', label: 'Price' },
      { value: 'other', label: 'Other' },
    ].map(({ value, label }, n) => ({ value, label, ...(n === 0 && { next: 'sure' }) }));
    const sure = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } };
    const why = { key: 'why', type: 'survey', config: { title: 'Why?', options }, next: 'sure' };
    const graph = { entry: 'why', nodes: [why, sure] };
    const fields = { name: 'Y', product_name: 'Y', cancellation_url: 'https://acme.example/y', flow_mode: 'advanced' };
    await ask(staging, 'PUT', '/api/v1/public/config', { flows: [{ key: 'yearly', ...fields, definition: graph }] });
    const files =
      'rm environment.yaml; npx --no -- retention-flow export --environment > flows.yaml; cat environment.yaml';
    expect(await shell(files, staging)).toMatch(
      /\n {2}- key: yearly\n {4}cancellation_url: https:\/\/acme\.example\/y\n {4}notification_email: null\n {4}install: null\n {4}exit: null\nwebhooks:/,
    );
    const both = await shell('npx --no -- retention-flow plan flows.yaml environment.yaml', staging);
    expect(both).toBe('0 to change, 5 unchanged.\n');
  });

  it('keeps apart what shares an alias in one file, and refuses names that no document can have', async () => {
    const one = (key: string, exit: string) =>
      `  - { key: ${key}, name: A, product_name: A, cancellation_url: https://acme.example, exit: ${exit} }\n`;
    writeFileSync(join(folder, 'a.yaml'), `flows:\n${one('alias-a', '&e { enabled: false }')}${one('alias-b', '*e')}`);
    writeFileSync(join(folder, 'b.yaml'), 'flows:\n  - { key: alias-a, exit: { recipient_email: a@acme.example } }\n');
    await shell('npx --no -- retention-flow apply a.yaml b.yaml', staging);
    const { flows } = (await ask(staging, 'GET', '/api/v1/public/config?environment=true')) as unknown as {
      flows: { key: string; exit: { recipient_email: string | null } | null }[];
    };
    const addresses = flows.filter(({ key }) => key.startsWith('alias')).map(({ exit }) => exit?.recipient_email);
    expect(addresses).toEqual(['a@acme.example', null]);
    writeFileSync(join(folder, 'proto.yaml'), '__proto__: { offers: [] }\noffers: []\n');
    await expect(shell('npx --no -- retention-flow plan proto.yaml', staging)).rejects.toMatchObject({
      stderr: expect.stringMatching(/^proto\.yaml:1: __proto__ is not a known field/),
    });
  });

  it('uploads pictures that are files beside the document, and only when it applies', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    mkdirSync(join(folder, 'pictures'));
    writeFileSync(join(folder, 'pictures', 'map.png'), Buffer.from(png, 'base64'));
    const offer = 'offers:\n  - { key: map, name: Map, offer_type: custom, image: { file: map.png, alt: A map } }\n';
    writeFileSync(join(folder, 'pictures', 'offers.yaml'), offer);
    const count = async () =>
      ((await ask(staging, 'GET', '/api/v1/public/images')) as unknown as { images: object[] }).images.length;
    const planned = await shell('npx --no -- retention-flow plan pictures/offers.yaml || true', staging);
    expect([planned, await count()]).toEqual(['+ picture map.png\n+ offer map\n2 to change, 0 unchanged.\n', 0]);
    writeFileSync(join(folder, 'pictures', 'notes.yaml'), offer.replace('map.png', 'offers.yaml'));
    await expect(shell('npx --no -- retention-flow plan pictures/notes.yaml', staging)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pictures\/notes\.yaml:2: offers\.yaml must be a PNG, JPEG or WebP/),
    });
    await shell('npx --no -- retention-flow apply pictures/offers.yaml', staging);
    expect(await count()).toBe(1);
    expect(await shell('npx --no -- retention-flow plan pictures/offers.yaml', staging)).toBe(
      '0 to change, 1 unchanged.\n',
    );
  });

  it('refuses aliases that stand for too much', async () => {
    const levels = Array.from({ length: 12 }, (_, n) => `  - &a${n + 1} [${Array(12).fill(`*a${n}`).join(', ')}]`);
    writeFileSync(join(folder, 'bomb.yaml'), `offers:\n  - &a0 [x]\n${levels.join('\n')}\n`);
    await expect(shell('npx --no -- retention-flow plan bomb.yaml', staging)).rejects.toMatchObject({
      code: 1,
      stderr: 'bomb.yaml: its aliases stand for too much, or for nothing. Write out what they stand for.\n',
    });
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
  });

  it.each([
    ['5.4', 'test/processes/node_modules/typescript-5.4', []],
    ['5.9', 'test/processes/node_modules/typescript-5.9', []],
    ['6', 'node_modules/typescript', ['--ignoreConfig']],
  ])('has types for TypeScript %s, with the types of pages, of Node, and of neither', async (_, typescript, flags) => {
    for (const name of ['programs.ts', 'testing-kit.ts'])
      writeFileSync(join(folder, name), readFileSync(`test/client/${name}`));
    const few = `import { RetentionFlow } from '@retention-flow/client'; export const list = new RetentionFlow({ baseUrl: 'http://a' }).flows.list();`;
    writeFileSync(join(folder, 'few.ts'), few);
    const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022'];
    const tsc = [resolve(typescript, 'bin/tsc'), ...flags, ...strict];
    const ofPages = ['--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];
    const ofNode = ['--lib', 'es2023', '--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    for (const args of [
      ['--module', 'node16', ...ofPages, 'programs.ts'],
      ['--module', 'nodenext', ...ofPages, 'programs.ts'],
      ['--module', 'nodenext', ...ofNode, 'programs.ts', 'testing-kit.ts'],
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023', 'few.ts'],
    ]) {
      const { stdout } = await run(process.execPath, [...tsc, ...args], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      );
      expect([args, stdout]).toEqual([args, '']);
    }
  });

  it.each([
    ['18', 'test/processes/node_modules/@types/react-18'],
    ['19', 'test/browser/node_modules/@types/react'],
  ])('has types for React %s, which the programs of the documents pass', async (_, react) => {
    const document = ['react', 'headless', 'testing'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('\n');
    const programs = [...document.matchAll(/^```tsx?\n\/\/ (.*)\n([^]*?)^```$/gm)].map(([, name, program]) => ({
      name,
      program,
    }));
    programs.push({ name: 'programs.tsx', program: readFileSync('test/client/react-programs.tsx', 'utf8') });
    // Those of a project that has more than React.
    const files = programs.filter(({ program }) => !/'(@\/components|react-native|vitest)/.test(program));
    for (const { name, program } of files) writeFileSync(join(folder, name), program);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
      types: [],
      paths: { react: [resolve(react)], 'react/*': [resolve(react, '*')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.react.json'),
      JSON.stringify({ compilerOptions, files: files.map(({ name }) => name) }),
    );
    const tsc = [resolve('test/processes/node_modules/typescript-5.9/bin/tsc'), '-p', 'tsconfig.react.json'];
    const { stdout } = await run(process.execPath, tsc, { cwd: folder }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});
