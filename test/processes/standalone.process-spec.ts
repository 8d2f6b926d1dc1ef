import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Databases } from '../support/databases';
import { ADMIN_API_KEY } from '../support/environment';
import { ServiceProcess } from '../support/service-process';

jest.setTimeout(60_000);

/** Where there is no node_modules, so that whatever the bundle still looks up by name is missing. */
describe('A copy of dist, alone in a folder', () => {
  const databases = new Databases();
  let folder: string;
  let service: ServiceProcess;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    cpSync('dist', folder, { recursive: true });
    const env = { DATABASE_URL: await databases.create() };
    service = ServiceProcess.start(env, 'pipe', join(folder, 'src/main.js'));
    address = await service.address();
  });
  afterAll(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
    rmSync(folder, { recursive: true });
  });

  it('starts without a complaint', () => {
    expect(service.stderr).toBe('');
  });

  it('has the same OpenAPI document, names of classes included', async () => {
    const response = await fetch(`${address}/openapi.json`);
    expect(await response.json()).toEqual(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
  });

  it.each(['docs', 'docs/swagger-ui-bundle.js', 'docs/swagger-ui.css', 'docs/favicon-32x32.png'])(
    'serves /%s',
    async (path) => {
      expect((await fetch(`${address}/${path}`)).status).toBe(200);
    },
  );

  it('validates bodies, those with the rules of another class too', async () => {
    const send = async (method: string, path: string, key: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as { api_key: { key: string } } };
    };
    const created = await send('POST', 'admin/workspaces', ADMIN_API_KEY, { name: 'Acme' });
    const { key } = created.body.api_key;
    expect((await send('PUT', 'public/workspace', key, { name: 'Acme Inc.' })).status).toBe(200);
    expect(await send('PUT', 'public/workspace', key, { name: '' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/name' }] },
    });
  });
});
