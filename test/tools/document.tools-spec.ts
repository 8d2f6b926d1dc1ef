import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { RetentionFlow } from '../../client/src/index';
import { freePort } from '../support/free-port';
import { serviceForAll, workspaceForEach } from '../support/service';

const DOCUMENT = resolve('docs/openapi.json');
const FOLDER = resolve('.cache/tools');
const run = promisify(execFile);
const tool = (name: string, ...args: string[]) =>
  run(join(FOLDER, 'node_modules/.bin', name), args, { cwd: FOLDER, maxBuffer: 100_000_000 });

interface Operation {
  security: object[];
  parameters: { name: string; in: string; required?: boolean }[];
}

describe('docs/openapi.json', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(__dirname, name), join(FOLDER, name));
    rmSync(join(FOLDER, 'out'), { recursive: true, force: true });
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-save'], { cwd: FOLDER });
  });

  it('is what four generators make clients of that compile, beside the types that are made of it here', async () => {
    const orval = (client: string) => ({ input: DOCUMENT, output: { target: `out/orval-${client}.ts`, client } });
    const config = { fetch: orval('fetch'), zod: orval('zod') };
    writeFileSync(join(FOLDER, 'orval.config.cjs'), `module.exports = ${JSON.stringify(config)};`);
    await tool('orval', '--config', 'orval.config.cjs');
    await tool('openapi-ts', '-i', DOCUMENT, '-o', 'out/hey-api', '-p', '@hey-api/client-fetch');
    await tool('swagger-typescript-api', 'generate', '-p', DOCUMENT, '-o', 'out/swagger-typescript-api');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['out'] }));
    const failed = await tool('tsc', '-p', '.').then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(failed).toBe('');
  });

  it('is true to what Prism sees between the client and the service', async () => {
    const port = await freePort();
    // Prism takes an empty requirement (OpenAPI 3.1, 4.8.30) for one that nothing satisfies.
    const document = readFileSync(DOCUMENT, 'utf8').replaceAll(/"security": \[\s*\{\}\s*\]/g, '"security": []');
    writeFileSync(join(FOLDER, 'prism.json'), document);
    const prism = await listening('prism', [
      'proxy',
      'prism.json',
      service.client.baseUrl,
      '--errors',
      '-p',
      `${port}`,
    ]);
    try {
      const rf = new RetentionFlow({ baseUrl: `http://127.0.0.1:${port}`, apiKey: acme.key });
      const offer = await rf.offers.create({ name: 'Half price', offer_type: 'discount_percentage' });
      const { id, slug } = await rf.flows.create({
        name: 'Leaving Pro',
        product_name: 'Pro',
        cancellation_url: 'https://acme.example/cancel',
        offer_ids: [offer.id],
      });
      await rf.flows.saveDraft(id, { name: 'Leaving' });
      await rf.flows.publishDraft(id);
      await rf.flows.update(id, { status: 'published' });
      const { session_id } = await rf.runtime.start({ flow_slug: slug, customer: { id: 'cus_1' } });
      await rf.runtime.step(session_id, { node_key: 'start', action: 'continue' });
      await rf.runtime.step(session_id, { node_key: 'reason', action: 'cancel' });
      expect((await rf.sessions.get(session_id)).status).toBe('canceled');
      expect((await rf.flows.list()).flows).toMatchObject([{ id, name: 'Leaving' }]);
      expect((await rf.offers.list()).offers).toMatchObject([{ id: offer.id }]);
      expect((await rf.sessions.list()).sessions).toMatchObject([{ flow_id: id }]);
      expect((await rf.webhooks.list()).webhooks).toEqual([]);
      await expect(rf.offers.get(id)).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      prism.kill();
    }
  });

  it('is what Portman makes a Postman collection of, whose tests newman passes: everything that can be read by an id', async () => {
    const offer = await acme.offer();
    const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
    const started = await service.client.post('/api/v1/runtime/session/init', { flow_slug: flow.slug });
    const hook = { url: 'https://acme.example/hook', event_types: ['session.saved'] };
    const webhook = (await acme.client.post('/api/v1/public/webhooks', hook)).body;
    const ids: Record<string, string> = {
      flows: flow.id,
      offers: offer.id,
      sessions: started.body.session_id,
      webhooks: webhook.id,
    };
    const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, { get?: Operation }> };
    const read = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const [, thing] = /^\/api\/v1\/public\/(\w+)(?:$|\/\{id\}$)/.exec(path) ?? [];
      const isKnown = ids[thing] && get?.parameters.every(({ name, required }) => !required || name === 'id');
      return isKnown ? [[path, { get }] as const] : [];
    });
    expect(read.length).toBeGreaterThanOrEqual(8);
    // Only what is required is sent: the examples of filters name nothing of this workspace.
    for (const [, { get }] of read) {
      get!.parameters = get!.parameters.filter(({ required }) => required);
      get!.security = [{ api_key: [] }];
    }
    writeFileSync(join(FOLDER, 'read.json'), JSON.stringify({ ...document, paths: Object.fromEntries(read) }));
    const settings = {
      version: 1,
      tests: {
        contractTests: [
          {
            openApiOperation: 'GET::/*',
            statusSuccess: { enabled: true },
            contentType: { enabled: true },
            jsonBody: { enabled: true },
            schemaValidation: { enabled: true },
            headersPresent: { enabled: true },
          },
        ],
      },
      overwrites: Object.entries(ids).map(([thing, id]) => ({
        openApiOperation: `GET::/api/v1/public/${thing}/:id`,
        overwriteRequestPathVariables: [{ key: 'id', value: id, overwrite: true }],
      })),
    };
    writeFileSync(join(FOLDER, 'portman.json'), JSON.stringify(settings));
    const args = ['-l', 'read.json', '-b', service.client.baseUrl, '-c', 'portman.json', '-o', 'out/collection.json'];
    // Portman makes a variable of it.
    writeFileSync(join(FOLDER, '.env'), `PORTMAN_BEARER_TOKEN=${acme.key}\n`);
    const { stdout } = await tool('portman', ...args, '-n', 'true').catch((error: { stdout: string }) => error);
    expect(stdout).not.toContain('AssertionError');
    expect(stdout).toMatch(new RegExp(`requests[^\\d]+${read.length}[^\\d]+0\\b`));
  });

  /** Starts a tool that serves, and waits until it says so. */
  async function listening(name: string, args: string[]): Promise<ChildProcess> {
    const child = spawn(join(FOLDER, 'node_modules/.bin', name), args, { cwd: FOLDER });
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += String(chunk);
        if (printed.includes('listening')) resolve();
      });
      child.once('exit', () => reject(new Error(`${name} ended: ${printed}`)));
    });
    return child;
  }
});
