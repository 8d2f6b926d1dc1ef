import { ADMIN_API_KEY } from '../support/environment';
import { Service, serviceForAll } from '../support/service';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';
const UNKNOWN = '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10';

const UNKNOWN_IDS = [
  'nonsense',
  '00000000-0000-0000-0000-000000000000',
  UNKNOWN,
  '%00',
  "'; DROP TABLE workspaces; --",
];

describe('The operator interface', () => {
  const service = serviceForAll();

  const asOperator = async (id: string) => (await service.operator.get(`${ADMIN}/${id}`)).body;

  async function workspaceCount(): Promise<number> {
    const [{ count }] = await service.database.query('SELECT count(*)::int AS count FROM workspaces');
    return count as number;
  }

  it.each(UNKNOWN_IDS)('is 404 for an unknown workspace id: %s', async (unknown) => {
    const path = `${ADMIN}/${encodeURIComponent(unknown)}`;
    const responses = [
      await service.operator.get(path),
      await service.operator.put(path, { name: 'After' }),
      await service.operator.post(`${path}/api-keys`, { name: 'Spare' }),
    ];
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(responses.map(() => [404, 'not_found']));
  });

  /** Calls every operation of the operator interface. */
  const callAll = async (as: Service['client'], id: string) => [
    await as.get(ADMIN),
    await as.post(ADMIN, { name: 'Mine' }),
    await as.get(`${ADMIN}/${id}`),
    await as.put(`${ADMIN}/${id}`, { name: 'Mine' }),
    await as.post(`${ADMIN}/${id}/api-keys`, { name: 'Mine' }),
  ];

  it('is 401 without a key', async () => {
    const { id } = await service.workspace();
    for (const { status, headers, body } of await callAll(service.client, id)) {
      expect([status, body.code]).toEqual([401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="retention-flow"');
    }
    expect((await asOperator(id)).name).toBe('Acme');
  });

  it('is 401 with any key but the operator key', async () => {
    const acme = await service.workspace();
    const before = await workspaceCount();
    for (const wrong of [acme.key, ADMIN_API_KEY.slice(0, -1), `${ADMIN_API_KEY}x`, ADMIN_API_KEY.toUpperCase()]) {
      for (const { status, headers, body } of await callAll(service.client.with(wrong), acme.id)) {
        expect([status, body.code]).toEqual([401, 'invalid_token']);
        expect(headers.get('www-authenticate')).toBe('Bearer realm="retention-flow", error="invalid_token"');
      }
    }
    expect(await workspaceCount()).toBe(before);
    expect((await asOperator(acme.id)).name).toBe('Acme');
  });

  it('is separate: the operator key is 401 for the management interface', async () => {
    const { status, body } = await service.operator.get(OWN);
    expect([status, body.code]).toEqual([401, 'invalid_token']);
  });

  it('is 404 with every key and without when ADMIN_API_KEY is not set', async () => {
    const acme = await service.workspace();
    const before = await workspaceCount();
    const closed = await Service.start({ ADMIN_API_KEY: '' });
    try {
      for (const client of [closed.client, closed.operator, closed.client.with(acme.key)]) {
        const responses = await callAll(client, acme.id);
        expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
          responses.map(() => [404, 'not_found']),
        );
      }
      expect((await closed.client.with(acme.key).get(OWN)).body.name).toBe('Acme');
    } finally {
      await closed.stop();
    }
    expect(await workspaceCount()).toBe(before);
  });
});
