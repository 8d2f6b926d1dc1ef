import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { Receiver, TO_LOOPBACK, verify } from '../support/receiver';
import { ServiceProcess } from '../support/service-process';

/** Where there is no node_modules, so that whatever the bundle still looks up by name is missing. */
describe('A copy of dist, alone in a folder', () => {
  const databases = new Databases();
  let folder: string;
  let service: ServiceProcess;
  let address: string;
  let receiver: Receiver;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    cpSync('dist', folder, { recursive: true });
    const env = { DATABASE_URL: await databases.create(), ...TO_LOOPBACK };
    service = ServiceProcess.start(env, 'pipe', join(folder, 'src/main.js'));
    address = await service.address();
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await receiver?.stop();
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });

  it('starts without a complaint', () => {
    expect(service.stderr).toBe('');
  });

  it('has no Postgres of its own: without DATABASE_URL it says so, and makes no folder for data', async () => {
    const data = join(folder, 'data');
    const alone = ServiceProcess.start({ DATA_DIR: data }, 'pipe', join(folder, 'src/main.js'));
    expect(await alone.ended).toBe(1);
    expect(alone.stderr).toMatch(/^No embedded Postgres is installed for .*\. Set DATABASE_URL to use [^\n]*\n$/);
    expect(existsSync(data)).toBe(false);
  });

  it('has the same OpenAPI document, names of classes included', async () => {
    const response = await fetch(`${address}/openapi.json`);
    expect(await response.json()).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
  });

  it.each([
    'docs',
    'docs/swagger-ui-bundle.js',
    'docs/swagger-ui.css',
    'docs/favicon-32x32.png',
    'widget/v1.js',
    'demo',
  ])('serves /%s', async (path) => {
    expect((await fetch(`${address}/${path}`)).status).toBe(200);
  });

  const send = async (method: string, path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
    const fields = (await response.json()) as { id: string; secret: string; api_key: { key: string } };
    return { status: response.status, body: fields };
  };
  const newKey = async () => {
    return (await send('POST', 'admin/workspaces', ADMIN_API_KEY, { name: 'Acme' })).body.api_key.key;
  };

  it('validates bodies, those with the rules of another class too', async () => {
    const key = await newKey();
    expect((await send('PUT', 'public/workspace', key, { name: 'Acme Inc.' })).status).toBe(200);
    expect(await send('PUT', 'public/workspace', key, { name: '' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/name' }] },
    });
  });

  it('delivers events, signed', async () => {
    const key = await newKey();
    const { secret } = (await send('POST', 'public/webhooks', key, { url: receiver.url })).body;
    const flow = { name: 'Leaving', product_name: 'Acme', cancellation_url: 'https://acme.example/cancel' };
    const { id } = (await send('POST', 'public/flows', key, flow)).body;
    await send('PUT', `public/flows/${id}`, key, { status: 'published' });
    const [received] = await receiver.untilReceived(1);
    expect(verify(secret, received)).toMatchObject({ type: 'flow.published', data: { flow: { id } } });
  });
});
