import { Service, Tenant } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('Flows', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  describe('POST /api/v1/public/flows', () => {
    it('creates a draft and answers id, name and slug', async () => {
      const { status, body } = await acme.client.post(FLOWS, {
        name: 'Größe & Weiß',
        product_name: 'Acme Pro',
        cancellation_url: 'https://acme.example/cancel?from=app#now',
        description: 'For monthly plans.',
        estimated_monthly_value: 49.9,
        notification_email: 'team@acme.example',
      });
      expect(status).toBe(201);
      expect(body).toEqual({ id: expect.any(String), name: 'Größe & Weiß', slug: expect.any(String) });
      expect(body.slug).toMatch(/^grosse-weiss-[a-z0-9]{8}$/);
      expect((await acme.client.get(`${FLOWS}/${body.id}`)).body).toMatchObject({
        status: 'draft',
        flow_mode: 'simple',
        current_version: 1,
        cancellation_url: 'https://acme.example/cancel?from=app#now',
        description: 'For monthly plans.',
        estimated_monthly_value: 49.9,
        notification_email: 'team@acme.example',
      });
    });

    it('composes the graph of a simple flow: start, survey, each offer in order, confirm', async () => {
      const [first, second] = [await acme.offer({ name: 'First' }), await acme.offer({ name: 'Second' })];
      const flow = await acme.flow({ offer_ids: [first.id, second.id.toUpperCase()] });
      const { definition, offer_ids } = (await acme.client.get(`${FLOWS}/${flow.id}`)).body;
      expect(offer_ids).toEqual([first.id, second.id]);
      expect(definition.entry).toBe('start');
      expect(definition.nodes.map(({ key, type, next }: Record<string, string>) => [key, type, next])).toEqual([
        ['start', 'start', 'reason'],
        ['reason', 'survey', 'offer_1'],
        ['offer_1', 'offer', 'offer_2'],
        ['offer_2', 'offer', 'confirm'],
        ['confirm', 'confirm', undefined],
      ]);
      expect(definition.nodes[3].config).toEqual({ offer_id: second.id });
    });

    it('names every field that is wrong and stores nothing', async () => {
      const { status, body } = await acme.client.post(FLOWS, {
        name: '  ',
        cancellation_url: 'javascript:alert(1)',
        flow_mode: 'other',
        estimated_monthly_value: 1.001,
        notification_email: 'nobody',
        offer_ids: ['x'],
        colour: 'red',
      });
      expect(status).toBe(400);
      expect(body.errors.map((error: { pointer: string }) => error.pointer).toSorted()).toEqual([
        '/cancellation_url',
        '/colour',
        '/estimated_monthly_value',
        '/flow_mode',
        '/name',
        '/notification_email',
        '/offer_ids',
        '/product_name',
      ]);
      expect((await acme.client.get(FLOWS)).body.flows).toEqual([]);
    });

    it.each([
      ['a scheme that is not http', 'ftp://acme.example/'],
      ['credentials in the URL', 'https://user:secret@acme.example/'],
      ['a relative URL', '/cancel'],
      ['white space', 'https://acme.example/ cancel'],
      ['no slashes before the host', 'https:acme.example/cancel'],
      ['no host, so that browsers take the path for one', 'http:///acme.example/cancel'],
      ['backslashes for slashes', String.raw`http:\\acme.example\cancel`],
      ['more than 2048 characters', `https://acme.example/${'x'.repeat(2048)}`],
    ])('refuses a cancellation_url with %s', async (_, cancellation_url) => {
      const { status, body } = await acme.client.post(FLOWS, { name: 'A', product_name: 'B', cancellation_url });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ pointer: '/cancellation_url', message: expect.any(String) }]);
    });

    it('refuses offers that are archived, unknown or of another workspace, and points to each', async () => {
      const own = await acme.offer();
      const archived = await acme.offer();
      await acme.client.delete(`/api/v1/public/offers/${archived.id}`);
      const foreign = await (await service.workspace()).offer();
      const { status, body } = await acme.client.post(FLOWS, {
        name: 'A',
        product_name: 'B',
        cancellation_url: 'https://acme.example/',
        offer_ids: [own.id, archived.id, foreign.id],
      });
      expect(status).toBe(400);
      expect(body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(['/offer_ids/1', '/offer_ids/2']);
      expect((await acme.client.get(FLOWS)).body.flows).toEqual([]);
    });
  });

  describe('GET /api/v1/public/flows', () => {
    it('answers items with exactly the keys of the interface, newest first, without archived ones', async () => {
      const first = await acme.flow({ name: 'First' });
      const second = await acme.flow({ name: 'Second' });
      const gone = await acme.flow({ name: 'Gone' });
      await acme.client.delete(`${FLOWS}/${gone.id}`);
      const { status, body } = await acme.client.get(FLOWS);
      expect(status).toBe(200);
      expect(body.flows.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
      expect(body.next_cursor).toBeNull();
      expect(Object.keys(body.flows[0]).toSorted()).toEqual([
        'current_version',
        'flow_mode',
        'id',
        'name',
        'product_name',
        'slug',
        'status',
        'updated_at',
      ]);
    });

    it('shows one status with ?status=', async () => {
      const draft = await acme.flow();
      const published = await acme.publishedFlow();
      const archived = await acme.flow();
      await acme.client.delete(`${FLOWS}/${archived.id}`);
      for (const [status, flow] of Object.entries({ draft, published, archived })) {
        const { flows } = (await acme.client.get(`${FLOWS}?status=${status}`)).body;
        expect(flows.map(({ id }: { id: string }) => id)).toEqual([flow.id]);
      }
    });

    it('pages through all flows once, whatever is edited or created meanwhile', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 7; n++) ids.unshift((await acme.flow({ name: `Flow ${n}` })).id);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await acme.client.get(`${FLOWS}?limit=3${cursor && `&cursor=${cursor}`}`);
        seen.push(...body.flows.map(({ id }: { id: string }) => id));
        cursor = body.next_cursor;
        await acme.client.put(`${FLOWS}/${ids[6]}`, { description: `edit ${seen.length}` });
        await acme.flow();
      }
      expect(seen).toEqual(ids);
    });

    it.each([
      'limit=0',
      'limit=501',
      'limit=x',
      'limit=1.5',
      'limit=',
      'status=gone',
      'cursor=broken',
      'limit=1&limit=2',
      'page=2',
    ])('refuses ?%s and names the parameter', async (query) => {
      const { status, body } = await acme.client.get(`${FLOWS}?${query}`);
      expect(status).toBe(400);
      expect(body.errors[0].pointer).toBe(`/${query.split('=')[0]}`);
    });
  });

  describe('GET /api/v1/public/flows/:id', () => {
    it('answers every field of the flow', async () => {
      const flow = await acme.flow();
      const { status, body } = await acme.client.get(`${FLOWS}/${flow.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: flow.id,
        name: 'Leaving Acme',
        slug: flow.slug,
        product_name: 'Acme Pro',
        cancellation_url: 'https://acme.example/cancel',
        status: 'draft',
        flow_mode: 'simple',
        current_version: 1,
        description: null,
        estimated_monthly_value: null,
        notification_email: null,
        offer_ids: [],
        definition: expect.any(Object),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    });

    it.each(['nonsense', '00000000-0000-0000-0000-000000000000', '%00', "1'; DROP TABLE flows; --"])(
      'answers 404 for the id %s',
      async (id) => {
        expect((await acme.client.get(`${FLOWS}/${encodeURIComponent(id)}`)).status).toBe(404);
      },
    );
  });

  describe('PUT /api/v1/public/flows/:id', () => {
    it('changes what is sent and leaves the rest', async () => {
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

    it('writes a new version only for a change of what customers see', async () => {
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

    it('keeps an offer that was archived since, as long as offer_ids stay', async () => {
      const offer = await acme.offer();
      const flow = await acme.flow({ offer_ids: [offer.id] });
      await acme.client.delete(`/api/v1/public/offers/${offer.id}`);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { name: 'Renamed' })).status).toBe(200);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { offer_ids: [] })).status).toBe(200);
      expect((await acme.client.put(`${FLOWS}/${flow.id}`, { offer_ids: [offer.id] })).status).toBe(400);
    });

    it('keeps the slug and lets every status follow every other', async () => {
      const flow = await acme.flow();
      for (const status of ['archived', 'published', 'draft', 'archived', 'draft', 'published']) {
        await acme.client.put(`${FLOWS}/${flow.id}`, { status, name: `Now ${status}` });
        expect((await acme.client.get(`${FLOWS}/${flow.id}`)).body).toMatchObject({ status, slug: flow.slug });
      }
    });

    it('loses neither of two changes at once', async () => {
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
    it('archives the flow, and again', async () => {
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
