import { Service, Tenant } from '../support/service';

describe('Versions of a flow', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
    acme = await service.workspace();
  });
  afterAll(() => service.stop());

  it('are listed newest first, and each can still be read as it was', async () => {
    const flow = await acme.flow();
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Renamed' });
    const path = `/api/v1/public/flows/${flow.id}/versions`;
    expect((await acme.client.get(path)).body).toEqual({
      versions: [
        { version: 2, created_at: expect.any(String) },
        { version: 1, created_at: expect.any(String) },
      ],
    });
    expect((await acme.client.get(`${path}/1`)).body).toMatchObject({ version: 1, name: 'Leaving Acme' });
    expect((await acme.client.get(`${path}/2`)).body).toMatchObject({ version: 2, name: 'Renamed' });
    for (const version of ['0', '3', 'x', '1.0', '99999999999', '-1']) {
      expect((await acme.client.get(`${path}/${version}`)).status).toBe(404);
    }
  });

  it('are listed up to 500, and the older ones can be read all the same', async () => {
    const flow = await acme.flow();
    await service.database.query(
      `WITH versions AS (
        INSERT INTO flow_versions SELECT copied.* FROM generate_series(2, 501) n, flow_versions original,
          jsonb_populate_record(original, jsonb_build_object('version', n)) copied WHERE original.flow_id = $1)
      UPDATE flows SET current_version = 501 WHERE id = $1`,
      [flow.id],
    );
    const path = `/api/v1/public/flows/${flow.id}/versions`;
    const { versions } = (await acme.client.get(path)).body;
    const numbers = versions.map(({ version }: { version: number }) => version);
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => 501 - n));
    expect((await acme.client.get(`${path}/1`)).status).toBe(200);
  });
});
