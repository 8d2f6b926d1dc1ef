import { serviceForAll } from '../support/service';

const ADMIN = '/api/v1/admin/workspaces';
const OWN = '/api/v1/public/workspace';

describe('POST /api/v1/admin/workspaces/:id/api-keys', () => {
  const service = serviceForAll();

  const pointersOf = (errors: { pointer: string }[]) => errors.map(({ pointer }) => pointer);

  it('issues a key of that workspace', async () => {
    const acme = await service.workspace();
    const { status, body } = await service.operator.post(`${ADMIN}/${acme.id}/api-keys`, { name: 'Spare' });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), name: 'Spare', key: expect.any(String) });
    expect((await service.client.with(body.key).get(OWN)).body.id).toBe(acme.id);
    expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys[0]).toMatchObject({
      id: body.id,
      name: 'Spare',
      access: 'write',
      expires_at: null,
    });
  });

  it('issues a key with read access and an expiry', async () => {
    const acme = await service.workspace();
    const path = `${ADMIN}/${acme.id}/api-keys`;
    const { body } = await service.operator.post(path, {
      name: 'Reader',
      access: 'read',
      expires_at: '2999-01-01T00:00:00Z',
    });
    const reader = service.client.with(body.key);
    expect((await reader.get(OWN)).status).toBe(200);
    expect((await reader.put(OWN, { name: 'After' })).status).toBe(403);
    expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys[0]).toMatchObject({
      access: 'read',
      expires_at: '2999-01-01T00:00:00.000Z',
    });
  });

  it.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'A', access: 'admin' }, '/access'],
    [{ name: 'A', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ name: 'A', key: 'rf_live_mine' }, '/key'],
  ])('refuses %j, points to %s and issues nothing', async (request, pointer) => {
    const acme = await service.workspace();
    const { status, body } = await service.operator.post(`${ADMIN}/${acme.id}/api-keys`, request);
    expect(status).toBe(400);
    expect(pointersOf(body.errors)).toEqual([pointer]);
    expect((await acme.client.get('/api/v1/public/api-keys')).body.api_keys).toHaveLength(1);
  });
});
