import { serviceForAll, workspaceForEach } from '../support/service';

const FLOWS = '/api/v1/public/flows';

describe('POST /api/v1/public/flows', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  it('creates a draft and returns its id, name and slug', async () => {
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

  it('creates a published flow, which can be started at once; any other status is refused', async () => {
    const flow = { name: 'Leaving', product_name: 'Pro', cancellation_url: 'https://acme.example/cancel' };
    const { status, body } = await acme.client.post(FLOWS, { ...flow, status: 'published' });
    expect(status).toBe(201);
    const start = await service.client.post('/api/v1/runtime/session/init', { flow_slug: body.slug });
    expect(start.status).toBe(201);
    const { body: problem } = await acme.client.post(FLOWS, { ...flow, status: 'archived' });
    expect(problem.errors).toEqual([{ pointer: '/status', message: expect.stringContaining('draft, published') }]);
  });

  it('says of a slug that another flow of the workspace has that it is the slug that is taken', async () => {
    const flow = { name: 'Leaving', product_name: 'Pro', cancellation_url: 'https://acme.example/cancel' };
    const { slug } = (await acme.client.post(FLOWS, flow)).body;
    expect((await acme.client.post(FLOWS, { ...flow, slug })).body.code).toBe('slug_taken');
  });

  it('composes the graph of a simple flow: start, survey, the offers in order, confirm', async () => {
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

  it('names all wrong fields in one response, and stores nothing', async () => {
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
    ['no host, so that browsers use the path as host', 'http:///acme.example/cancel'],
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
