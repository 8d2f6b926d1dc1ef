import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('A flow by its id', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  describe('GET /api/v1/public/flows/:id', () => {
    it('shows every field of the flow', async () => {
      const flow = await acme.flow();
      const { status, body } = await acme.client.get(`${FLOWS}/${flow.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: flow.id,
        name: 'Leaving Acme',
        key: null,
        slug: flow.slug,
        product_name: 'Acme Pro',
        cancellation_url: 'https://acme.example/cancel',
        status: 'draft',
        flow_mode: 'simple',
        current_version: 1,
        description: null,
        estimated_monthly_value: null,
        notification_email: null,
        cancel_in_billing: false,
        after_cancel: 'go',
        canceled_title: '',
        canceled_body: '',
        translations: {},
        audiences_changed: false,
        exit: null,
        install: null,
        locale: 'en',
        metadata: {},
        offer_ids: [],
        survey: null,
        definition: expect.any(Object),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    });

    it.each(['nonsense', '00000000-0000-0000-0000-000000000000', '%00', "1'; DROP TABLE flows; --"])(
      'is 404 for the id %s',
      async (id) => {
        expect((await acme.client.get(`${FLOWS}/${encodeURIComponent(id)}`)).status).toBe(404);
      },
    );
  });

  describe('PUT /api/v1/public/flows/:id', () => {
    it('changes only the fields of the request', async () => {
      const flow = await acme.flow({ description: 'Before', estimated_monthly_value: 10 });
      const { status, body } = await acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published', description: null });
      expect(status).toBe(200);
      expect(body).toEqual({ updated: true, id: flow.id });
      expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body).toMatchObject({
        name: 'Leaving Acme',
        status: 'published',
        description: null,
        estimated_monthly_value: 10,
      });
    });

    it('makes a new version only for a change that customers can see', async () => {
      const flow = await acme.flow();
      const versionAfter = async (changes: object): Promise<number> => {
        expect((await acme.client.put(`${FLOWS}/${flow.id}`, changes)).status).toBe(200);
        return (await acme.client.get(`${FLOWS}/${flow.id}`)).body.current_version as number;
      };
      expect(await versionAfter({ description: 'A note', status: 'published', estimated_monthly_value: 1 })).toBe(1);
      expect(await versionAfter({ name: 'Leaving Acme' })).toBe(1);
      expect(await versionAfter({ name: 'Renamed' })).toBe(2);
      expect(await versionAfter({ product_name: 'Acme Max', cancellation_url: 'https://acme.example/bye' })).toBe(3);
      expect(await versionAfter({ offer_ids: [(await acme.offer()).id] })).toBe(4);
    });

    it('keeps an offer that was archived later, until offer_ids change', async () => {
      const offer = await acme.offer();
      const flow = await acme.flow({ offer_ids: [offer.id] });
      await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed' })).status).toBe(200);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { offer_ids: [] })).status).toBe(200);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { offer_ids: [offer.id] })).status).toBe(400);
    });

    it('keeps the slug, and allows every change of status', async () => {
      const flow = await acme.flow();
      for (const status of ['archived', 'published', 'draft', 'archived', 'draft', 'published']) {
        await acme.client.put(`${FLOWS}/${flow.id}`, { status, name: `Now ${status}` });
        expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body).toMatchObject({ status, slug: flow.slug });
      }
    });

    it('loses no change when several requests come at once', async () => {
      const flow = await acme.flow();
      await Promise.all([
        acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed' }),
        acme.client.put(`${FLOWS}/${flow.id}`, { product_name: 'Acme Max' }),
        acme.client.put(`${FLOWS}/${flow.id}`, { status: 'published' }),
      ]);
      expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body).toMatchObject({
        name: 'Renamed',
        product_name: 'Acme Max',
        status: 'published',
        current_version: 3,
      });
    });

    it.each([[{}], [{ status: 'gone' }], [{ name: null }], [{ slug: 'mine' }], [{ id: 'x' }], [[]], ['text'], [null]])(
      'refuses %j and changes nothing',
      async (changes) => {
        const flow = await acme.flow();
        const before = (await acme.client.get(`${FLOWS}/${flow.id}`)).body;
        expect((await acme.client.put(`${FLOWS}/${flow.id}`, changes)).status).toBe(400);
        expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body).toEqual(before);
      },
    );
  });

  describe('DELETE /api/v1/public/flows/:id', () => {
    it('archives the flow, and is idempotent', async () => {
      const flow = await acme.publishedFlow();
      for (let n = 0; n < 2; n++) {
        const { status, body } = await acme.client.delete(`${FLOWS}/${flow.id}`);
        expect(status).toBe(200);
        expect(body).toEqual({ archived: true, id: flow.id });
      }
      expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body.status).toBe('archived');
    });
  });
});
