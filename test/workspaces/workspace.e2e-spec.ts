import { serviceForAll } from '../support/service';
import { currentMonth } from './current-month';
import { INVALID_SETTINGS, VALID_SETTINGS } from './settings';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';
const UNKNOWN = '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10';
const DEFAULTS = {
  primary_color: '#4f46e5',
  logo_url: '',
  brand: { font: null, radius: null, scheme: null },
  allowed_origins: [],
  jurisdictions: [],
  image_hosts: [],
  require_customer_token: false,
  offer_limit: null,
  ending_notice_days: 3,
};

describe('The workspace of an API key', () => {
  const service = serviceForAll();

  const asOperator = async (id: string) => (await service.operator.get(`${ADMIN}/${id}`)).body;
  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

  describe('GET /api/v1/public/workspace', () => {
    it('shows the workspace of the key, as the operator sees it', async () => {
      const acme = await service.workspace({ session_limit: 7, primary_color: '#123456' });
      const { status, body } = await acme.client.get(OWN);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: acme.id,
        name: 'Acme',
        ...DEFAULTS,
        primary_color: '#123456',
        test: false,
        usage: { session_limit: 7, sessions_used: 0, ...(await currentMonth(service)) },
        created_at: expect.any(String),
      });
      expect(body).toEqual(await asOperator(acme.id));
    });
  });

  describe('PUT /api/v1/public/workspace', () => {
    it.each(VALID_SETTINGS)('stores %s unchanged and leaves the other fields', async (_, changes) => {
      const acme = await service.workspace({
        primary_color: '#111111',
        logo_url: 'https://acme.example/1.svg',
        allowed_origins: ['https://one.example'],
      });
      const before = (await acme.client.get(OWN)).body;
      const { status, body } = await acme.client.put(OWN, changes);
      expect(status).toBe(200);
      expect(body).toEqual({ updated: true, id: acme.id });
      expect((await acme.client.get(OWN)).body).toEqual({ ...before, ...changes });
    });

    it('loses no change when several requests come at once', async () => {
      const acme = await service.workspace();
      const changes = { name: 'After', primary_color: '#000000', logo_url: 'https://acme.example/2.svg' };
      await Promise.all(Object.entries(changes).map(([field, value]) => acme.client.put(OWN, { [field]: value })));
      expect((await acme.client.get(OWN)).body).toMatchObject(changes);
    });

    it('changes the parts of the brand that are sent, and takes one back that is null', async () => {
      const acme = await service.workspace();
      await acme.client.put(OWN, { brand: { font: 'Inter, serif', radius: '4px' } });
      await acme.client.put(OWN, { brand: { scheme: 'dark', radius: null } });
      expect((await acme.client.get(OWN)).body.brand).toEqual({ font: 'Inter, serif', radius: null, scheme: 'dark' });
    });

    it.each([
      ...INVALID_SETTINGS,
      ['its own session_limit', { session_limit: 1_000_000 }],
      ['its own usage', { name: 'After', sessions_used: 0 }],
      ['its usage in the form that GET shows', { usage: { session_limit: 1_000_000 } }],
      ['another id', { id: UNKNOWN }],
      ['nothing', {}],
      ['an unknown field', { name: 'After', plan: 'pro' }],
    ] as [string, object][])('refuses %s and changes nothing', async (_, changes) => {
      const acme = await service.workspace();
      const before = (await acme.client.get(OWN)).body;
      const { status, body } = await acme.client.put(OWN, changes);
      expect(status).toBe(400);
      const field = Object.keys(changes).at(-1);
      expect(pointersOf(body.errors)).toEqual([expect.stringMatching(field ? new RegExp(`^/${field}(/|$)`) : /^$/)]);
      expect((await acme.client.get(OWN)).body).toEqual(before);
    });
  });
});
