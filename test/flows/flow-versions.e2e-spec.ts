import { serviceForAll, type Tenant } from '../support/service';
import { issueKey } from '../workspaces/issued-key';

const FLOWS = '/api/v1/public/flows';

describe('Versions of a flow', () => {
  const service = serviceForAll();
  let acme: Tenant;

  beforeAll(async () => {
    acme = await service.workspace();
  });

  const published_by = { type: 'api_key', id: expect.any(String), name: 'First key' };

  it('are listed newest first, and each can still be read as it was', async () => {
    const flow = await acme.flow();
    await acme.client.put(`/api/v1/public/flows/${flow.id}`, { name: 'Renamed' });
    const path = `/api/v1/public/flows/${flow.id}/versions`;
    expect((await acme.client.get(path)).body).toEqual({
      versions: [
        { version: 2, note: null, published_by, created_at: expect.any(String) },
        { version: 1, note: null, published_by, created_at: expect.any(String) },
      ],
      next_cursor: null,
    });
    expect((await acme.client.get(`${path}/1`)).body).toMatchObject({ version: 1, name: 'Leaving Acme' });
    expect((await acme.client.get(`${path}/2`)).body).toMatchObject({ version: 2, name: 'Renamed' });
    for (const version of ['0', '3', 'x', '1.0', '99999999999', '-1']) {
      expect((await acme.client.get(`${path}/${version}`)).status).toBe(404);
    }
  });

  it('say who made them live, under the name of that time, and why', async () => {
    const { client, id } = await issueKey(service, acme, { name: 'Growth team' });
    const flow = await acme.flow();
    await client.put(`${FLOWS}/${flow.id}/draft`, { name: 'Renamed' });
    await client.post(`${FLOWS}/${flow.id}/draft/publish`, { note: 'Shorter.' });
    await acme.client.delete(`/api/v1/public/api-keys/${id}`);
    const { versions } = (await acme.client.get(`${FLOWS}/${flow.id}/versions`)).body;
    const made = { note: 'Shorter.', published_by: { type: 'api_key', id, name: 'Growth team' } };
    expect(versions[0]).toMatchObject(made);
    expect((await acme.client.get(`${FLOWS}/${flow.id}/versions/2`)).body).toMatchObject(made);
  });

  describe('POST /api/v1/public/flows/:id/versions/:version/restore', () => {
    const restore = (id: string, version: number | string, body: object = {}, headers?: Record<string, string>) =>
      acme.client.post(`${FLOWS}/${id}/versions/${version}/restore`, body, headers);

    it('makes a new version with the content of an earlier one, and leaves all else as it is', async () => {
      const offer = await acme.offer();
      const flow = await acme.publishedFlow({ offer_ids: [offer.id] });
      const path = `${FLOWS}/${flow.id}`;
      const before = (await acme.client.get(path)).body;
      await acme.client.put(path, { name: 'Renamed', offer_ids: [], description: 'A note' });
      await acme.client.put(`${path}/draft`, { name: 'Draft' });
      await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
      const { status, body } = await restore(flow.id, 1, { note: 'It was better.' });
      expect([status, body]).toEqual([200, { updated: true, id: flow.id, version: 3 }]);
      const { updated_at } = (await acme.client.get(path)).body;
      expect((await acme.client.get(path)).body).toEqual({
        ...before,
        current_version: 3,
        description: 'A note',
        updated_at,
      });
      expect((await acme.client.get(`${path}/versions`)).body.versions[0]).toMatchObject({
        version: 3,
        note: 'It was better.',
        published_by,
      });
      expect((await acme.client.get(`${path}/draft`)).body).toMatchObject({ name: 'Draft', based_on_version: 2 });
    });

    it('makes no version of what is live', async () => {
      const flow = await acme.flow();
      expect((await restore(flow.id, 1)).body.version).toBe(1);
      await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed' });
      for (let n = 0; n < 2; n++) expect((await restore(flow.id, 1)).body.version).toBe(3);
    });

    it('is 404 for a version that there is not', async () => {
      const flow = await acme.flow();
      for (const version of [0, 2, 'x', 99999999999]) expect((await restore(flow.id, version)).status).toBe(404);
    });

    it('refuses a note that is too long, blank or no text', async () => {
      const flow = await acme.flow();
      for (const note of ['x'.repeat(1001), ' ', 1]) {
        const { status, body } = await restore(flow.id, 1, { note });
        expect([status, body.errors[0].pointer]).toEqual([400, '/note']);
      }
    });
  });

  it('are listed up to 500 at a time, and each can be read by its number', async () => {
    const flow = await acme.flow();
    await service.database.query(
      `WITH versions AS (
        INSERT INTO flow_versions SELECT copied.* FROM generate_series(2, 501) n, flow_versions original,
          jsonb_populate_record(original, jsonb_build_object('version', n)) copied WHERE original.flow_id = $1)
      UPDATE flows SET current_version = 501 WHERE id = $1`,
      [flow.id],
    );
    const path = `/api/v1/public/flows/${flow.id}/versions`;
    const numbersOf = (body: { versions: { version: number }[] }) => body.versions.map(({ version }) => version);
    const { body } = await acme.client.get(path);
    expect(numbersOf(body)).toEqual(Array.from({ length: 500 }, (_, n) => 501 - n));
    const last = (await acme.client.get(`${path}?cursor=${body.next_cursor}`)).body;
    expect([numbersOf(last), last.next_cursor]).toEqual([[1], null]);
    // As of pictures: an id, and a time in place of a version.
    const ofPictures = Buffer.from(`${'f'.repeat(32)}019a9f3c9e21`, 'hex').toString('base64url');
    expect((await acme.client.get(`${path}?cursor=${ofPictures}`)).status).toBe(200);
    const nobodys = path.replace(flow.id, '019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a');
    expect((await acme.client.get(`${nobodys}?cursor=${body.next_cursor}`)).status).toBe(404);
    const few = (await acme.client.get(`${path}?limit=2`)).body;
    expect(numbersOf(few)).toEqual([501, 500]);
    expect(numbersOf((await acme.client.get(`${path}?limit=2&cursor=${few.next_cursor}`)).body)).toEqual([499, 498]);
    expect((await acme.client.get(`${path}/1`)).status).toBe(200);
  });
});
