import { createSetupLink } from '../../src/people/links/setup-link';
import { Databases } from '../support/databases';
import { migrate } from '../../src/platform/database/schema/migrate';
import { Client } from '../support/client';
import { PASSWORD, Service, tokenIn } from '../support/service';

const SETUP = '/api/v1/auth/setup';
const BASE = 'http://127.0.0.1:3000';

describe('The link for the first person', () => {
  const databases = new Databases();
  let url: string;
  let service: Service;

  beforeEach(async () => {
    url = await databases.create();
    await migrate(url);
    service = await Service.start({ DATABASE_URL: url });
  });
  afterEach(async () => {
    await service.stop();
    await databases.dropAll();
  });

  const setUp = (link: string | undefined, email = 'ada@acme.example', fields: object = {}) =>
    service.client.post(SETUP, { token: tokenIn(link!), email, name: 'Ada', password: PASSWORD, ...fields });
  const workspacesOf = async (person: Client) => (await person.get('/api/v1/public/me')).body.workspaces;

  it('is made once at a start, and again by the command', async () => {
    expect(await createSetupLink(url, BASE, true)).toMatch(/^http:\/\/127\.0\.0\.1:3000\/console#\/setup\/[\w-]{43}$/);
    expect(await createSetupLink(url, BASE, true)).toBeUndefined();
    expect(await createSetupLink(url, BASE)).toBeDefined();
  });

  it('makes an owner of the first workspace, who is signed in', async () => {
    const first = await service.workspace({ name: 'First' });
    await service.workspace({ name: 'Second' });
    const ada = service.client.signedIn(await setUp(await createSetupLink(url, BASE)));
    expect(await workspacesOf(ada)).toEqual([{ id: first.id, name: 'First', role: 'owner' }]);
  });

  it('gives the first workspace the name that was asked for', async () => {
    const { id } = await service.workspace({ name: 'Example' });
    const ada = service.client.signedIn(
      await setUp(await createSetupLink(url, BASE), undefined, { workspace_name: 'Acme' }),
    );
    expect(await workspacesOf(ada)).toEqual([{ id, name: 'Acme', role: 'owner' }]);
    const { changes } = (await ada.get('/api/v1/public/changes')).body;
    expect(changes).toContainEqual(expect.objectContaining({ action: 'workspace.changed' }));
  });

  it('makes the workspace, too, on an empty database', async () => {
    const ada = service.client.signedIn(
      await setUp(await createSetupLink(url, BASE), undefined, { workspace_name: 'Acme' }),
    );
    expect(await workspacesOf(ada)).toMatchObject([{ name: 'Acme', role: 'owner' }]);
  });

  it('works once, and only while there is no person, of whatever link', async () => {
    const links = [await createSetupLink(url, BASE), await createSetupLink(url, BASE)];
    const answers = await Promise.all([setUp(links[0]), setUp(links[1], 'grace@acme.example')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const link of links) expect((await setUp(link, 'eve@acme.example')).body.code).toBe('link_not_found');
    expect(await createSetupLink(url, BASE)).toBeUndefined();
  });

  it('is over after an hour', async () => {
    const link = await createSetupLink(url, BASE);
    await service.database.query(`UPDATE one_time_links SET expires_at = expires_at - interval '1 hour'`);
    expect((await setUp(link)).body.code).toBe('link_not_found');
  });
});
