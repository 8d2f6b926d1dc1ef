import { serviceForAll, workspaceForEach } from '../support/service';
import { JPEG, png } from '../support/pictures';

const PUBLIC = '/api/v1/public';
const SESSION = '/api/v1/runtime/session';
const ALT = 'A map of your tours';
const POINTS = ['Your {{projects|many}} projects', 'The price from 2024'];

describe('A page that is looked at', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const upload = async (picture = png(920, 320), client = acme.client): Promise<string> =>
    (await client.send('POST', `${PUBLIC}/images`, { body: picture, headers: { 'content-type': 'image/png' } })).body
      .url;
  const graph = (config: object, confirm: object = {}) => ({
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Wait', ...config }, next: 'sure' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?', ...confirm } },
    ],
  });
  const newFlow = (definition: object) => ({
    name: 'Leaving',
    product_name: 'Acme',
    cancellation_url: 'https://acme.example/cancel',
    flow_mode: 'advanced',
    status: 'published',
    definition,
  });
  const create = (definition: object) => acme.client.post(`${PUBLIC}/flows`, newFlow(definition));
  const errorsOf = ({ status, body }: { status: number; body: { errors?: { pointer: string }[] } }) => [
    status,
    ...(body.errors ?? []).map(({ pointer }) => pointer),
  ];
  const begin = async (slug: string, start: object = {}) => {
    const { body } = await service.client.post(`${SESSION}/init`, { flow_slug: slug, ...start });
    const step = async (fields: object) =>
      (await service.client.post(`${SESSION}/${body.session_id}/step`, fields)).body.node;
    return { node: body.flow.entry_node, step };
  };

  it('shows its picture and its points, with what is known of the customer', async () => {
    const image = { url: await upload(), alt: ALT };
    const { slug } = (await create(graph({ image, points: POINTS }, { points: ['Gone for good'] }))).body;
    const { node, step } = await begin(slug, { customer: { id: 'ada', attributes: { projects: 12 } } });
    expect(node.config).toEqual({ title: 'Wait', image, points: ['Your 12 projects', 'The price from 2024'] });
    const sure = await step({ node_key: 'start', action: 'continue' });
    expect(sure.config).toEqual({ title: 'Sure?', points: ['Gone for good'] });
  });

  it('is as before without any of it', async () => {
    const { slug } = (await create(graph({}))).body;
    expect((await begin(slug)).node.config).toEqual({ title: 'Wait' });
  });

  it('is in the language of the customer', async () => {
    const translations = { de: { title: 'Halt', points: ['', 'Der Preis von 2024'], image_alt: 'Eine Karte' } };
    const image = { url: await upload(), alt: ALT };
    const { slug } = (await create(graph({ image, points: ['A', 'B'], translations }))).body;
    expect((await begin(slug, { locale: 'de' })).node.config).toEqual({
      title: 'Halt',
      image: { ...image, alt: 'Eine Karte' },
      points: ['A', 'Der Preis von 2024'],
    });
  });

  it('leaves out points that are blank', async () => {
    const { slug } = (await create(graph({ points: ['', 'Your tours', ' '] }))).body;
    expect((await begin(slug)).node.config.points).toEqual(['Your tours']);
  });

  it.each<[string, object, string[]]>([
    ['six points', { points: ['1', '2', '3', '4', '5', '6'] }, ['/definition/nodes/0/config/points']],
    ['a point of 121 characters', { points: ['x'.repeat(121)] }, ['/definition/nodes/0/config/points']],
    ['points that are no texts', { points: [1] }, ['/definition/nodes/0/config/points']],
    ['a placeholder without words', { points: ['{{name}}'] }, ['/definition/nodes/0/config/points/0']],
    [
      'a picture without alt',
      { image: { url: 'https://cdn.acme.example/a.png' } },
      ['/definition/nodes/0/config/image/alt'],
    ],
    [
      'a picture over http',
      { image: { url: 'http://cdn.acme.example/a.png', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    [
      'a picture in its address',
      { image: { url: 'data:image/png;base64,AAAA', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    ['a script', { image: { url: 'javascript:alert(1)', alt: ALT } }, ['/definition/nodes/0/config/image/url']],
    ['a file of the service', { image: { url: '/console', alt: ALT } }, ['/definition/nodes/0/config/image/url']],
    [
      'a path that leads elsewhere',
      { image: { url: '/images/../console', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    ['HTML', { image: '<img src=x>' }, ['/definition/nodes/0/config/image']],
    [
      'another field',
      { image: { url: 'https://a.example', alt: ALT, onerror: 'x' } },
      ['/definition/nodes/0/config/image/onerror'],
    ],
    [
      'a host that is not allowed',
      { image: { url: 'https://evil.example/a.png', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    [
      'a host that only ends like one',
      { image: { url: 'https://evil-cdn.acme.example/a.png', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    [
      'a host with another port',
      { image: { url: 'https://cdn.acme.example:8443/a.png', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    [
      'a picture that was never uploaded',
      { image: { url: '/images/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a', alt: ALT } },
      ['/definition/nodes/0/config/image/url'],
    ],
    [
      'a blank alt',
      { image: { url: 'https://cdn.acme.example/a.png', alt: ' ' } },
      ['/definition/nodes/0/config/image/alt'],
    ],
  ])('is refused with %s', async (_, config, pointers) => {
    await acme.client.put(`${PUBLIC}/workspace`, { image_hosts: ['cdn.acme.example'] });
    expect(errorsOf(await create(graph(config)))).toEqual([400, ...pointers]);
  });

  it('may show a picture of a host that the workspace allows, and goes on when it no longer does', async () => {
    const image = { url: 'https://cdn.acme.example/a.png', alt: ALT };
    const hosts = (image_hosts: string[]) => acme.client.put(`${PUBLIC}/workspace`, { image_hosts });
    await hosts(['cdn.acme.example']);
    const { id, slug } = (await create(graph({ image }))).body;
    await hosts([]);
    expect((await begin(slug)).node.config.image).toEqual(image);
    const change = (definition: object) => acme.client.put(`${PUBLIC}/flows/${id}`, { definition });
    expect((await change(graph({ image, body: 'Really?' }))).status).toBe(200);
    expect((await change(graph({ image: { ...image, url: 'https://cdn.acme.example/b.png' } }))).status).toBe(400);
  });

  it("may not show another workspace's picture, unless it has uploaded it, too", async () => {
    const other = await service.workspace();
    const url = await upload(JPEG, other.client);
    const image = { url, alt: ALT };
    expect((await create(graph({ image }))).status).toBe(400);
    await upload(JPEG);
    expect((await create(graph({ image }))).status).toBe(201);
  });

  it('names in its draft what may not be shown, before it is published', async () => {
    const { id } = (await create(graph({}))).body;
    const image = { url: 'https://evil.example/a.png', alt: '' };
    const { body } = await acme.client.put(`${PUBLIC}/flows/${id}/draft`, { definition: graph({ image }) });
    const pointers = body.faults.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.toSorted()).toEqual([
      '/definition/nodes/0/config/image/alt',
      '/definition/nodes/0/config/image/url',
    ]);
    expect((await acme.client.post(`${PUBLIC}/flows/${id}/draft/publish`, {})).body.code).toBe('draft_has_faults');
  });

  describe('of an offer', () => {
    const flowWith = async (offer: object) => {
      const { id } = await acme.offer({ name: 'Stay', ...offer });
      const { slug } = await acme.publishedFlow({ offer_ids: [id] });
      return { id, slug };
    };
    const atTheOffer = async (slug: string, start: object = {}) => {
      const { step } = await begin(slug, start);
      await step({ node_key: 'start', action: 'continue' });
      return (await step({ node_key: 'reason', action: 'answer', option: 'other' })).config;
    };

    it('shows them, too, each in the language of the customer', async () => {
      const image = { url: await upload(), alt: ALT };
      const points = [...POINTS, 'Good for {{duration}}'];
      const translations = { de: { image_alt: 'Eine Karte', points: ['Ihre {{projects|vielen}} Projekte'] } };
      const { slug } = await flowWith({ image, points, translations, offer_duration: '2 months' });
      const shown = await atTheOffer(slug, { locale: 'de', customer: { id: 'a', attributes: { projects: 3 } } });
      expect(shown).toMatchObject({
        image: { ...image, alt: 'Eine Karte' },
        points: ['Ihre 3 Projekte', 'The price from 2024', 'Good for 2 months'],
      });
    });

    it('is as before without any of it', async () => {
      const shown = await atTheOffer((await flowWith({})).slug);
      expect(Object.keys(shown)).toEqual([
        'id',
        'offer_type',
        'offer_value',
        'offer_duration',
        'heading',
        'body',
        'cta_accept',
        'cta_decline',
      ]);
    });

    it('forgets the customer who is erased', async () => {
      // Without the attribute, nothing is left of the point.
      const { slug } = await flowWith({ points: ['You pay {{price_now}}.'] });
      const { step } = await begin(slug, { customer: { id: 'ada', attributes: { price_now: 4711 } } });
      await step({ node_key: 'start', action: 'continue' });
      const { config } = await step({ node_key: 'reason', action: 'answer', option: 'other' });
      expect(config.points).toEqual(['You pay 4711.']);
      await step({ node_key: 'offer_1', action: 'accept' });
      await acme.client.delete(`${PUBLIC}/customers/ada`);
      for (const table of ['flow_sessions', 'session_steps']) {
        const rows = await service.database.query(`SELECT * FROM ${table} WHERE workspace_id = $1`, [acme.id]);
        expect(JSON.stringify(rows)).not.toContain('4711');
      }
    });

    it.each<[string, object, string]>([
      ['a host that is not allowed', { image: { url: 'https://evil.example/a.png', alt: ALT } }, '/image/url'],
      ['a blank alt', { image: { url: 'https://cdn.acme.example/a.png', alt: ' ' } }, '/image/alt'],
      ['six points', { points: ['1', '2', '3', '4', '5', '6'] }, '/points'],
      ['a placeholder without words', { points: ['{{name}}'] }, '/points/0'],
      [
        'a translation with other placeholders',
        { points: ['Plain'], translations: { de: { points: ['{{name|du}}'] } } },
        '/translations/de/points/0',
      ],
    ])('is refused with %s, when it is created and changed', async (_, fields, pointer) => {
      await acme.client.put(`${PUBLIC}/workspace`, { image_hosts: ['cdn.acme.example'] });
      const offer = { name: 'Stay', offer_type: 'custom' };
      expect(errorsOf(await acme.client.post(`${PUBLIC}/offers`, { ...offer, ...fields }))).toEqual([400, pointer]);
      const { id } = await acme.offer();
      expect(errorsOf(await acme.client.put(`${PUBLIC}/offers/${id}`, fields))).toEqual([400, pointer]);
    });

    it('is refused with a host that is not allowed when its draft is published', async () => {
      const { id } = await acme.offer();
      const image = { url: 'https://evil.example/a.png', alt: ALT };
      const { body } = await acme.client.put(`${PUBLIC}/offers/${id}/draft`, { image });
      expect(body.faults).toMatchObject([{ pointer: '/image/url' }]);
      expect(errorsOf(await acme.client.post(`${PUBLIC}/offers/${id}/draft/publish`, {}))).toEqual([400, '/image/url']);
    });

    it('goes on with its picture when the host is no longer allowed, and brings no older one back', async () => {
      const image = { url: 'https://cdn.acme.example/a.png', alt: ALT };
      await acme.client.put(`${PUBLIC}/workspace`, { image_hosts: ['cdn.acme.example'] });
      const { id } = await acme.offer({ image });
      const change = (fields: object) => acme.client.put(`${PUBLIC}/offers/${id}`, fields);
      await acme.client.put(`${PUBLIC}/workspace`, { image_hosts: [] });
      expect((await change({ image: { ...image, alt: 'Another' } })).status).toBe(200);
      expect((await change({ image: null })).status).toBe(200);
      expect(errorsOf(await change({ image }))).toEqual([400, '/image/url']);
      const restored = await acme.client.post(`${PUBLIC}/offers/${id}/versions/1/restore`, {});
      expect(errorsOf(restored)).toEqual([400, '/image/url']);
      const nobodys = '019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b';
      expect((await acme.client.put(`${PUBLIC}/offers/${nobodys}`, { image })).status).toBe(404);
    });

    it('keeps what was shown in its versions', async () => {
      const image = { url: await upload(), alt: ALT };
      const { id } = await acme.offer({ image, points: POINTS });
      await acme.client.put(`${PUBLIC}/offers/${id}`, { image: null, points: [] });
      const { body } = await acme.client.get(`${PUBLIC}/offers/${id}/versions/1`);
      expect(body).toMatchObject({ image, points: POINTS });
      await acme.client.post(`${PUBLIC}/offers/${id}/versions/1/restore`, {});
      expect((await acme.client.get(`${PUBLIC}/offers/${id}`)).body).toMatchObject({ image, points: POINTS });
    });
  });

  it('goes to another workspace by its document, once the picture is there and its hosts are', async () => {
    const image = { url: await upload(), alt: ALT };
    const linked = { url: 'https://cdn.acme.example/a.png', alt: ALT };
    await acme.client.put(`${PUBLIC}/workspace`, { image_hosts: ['cdn.acme.example'] });
    await acme.offer({ key: 'stay', image, points: POINTS });
    await create(graph({ image: linked, points: POINTS }));
    const document = (await acme.client.get(`${PUBLIC}/config?environment=true`)).body;
    const other = await service.workspace();
    const apply = () =>
      other.client.put(`${PUBLIC}/config`, { ...document, flows: [{ ...document.flows[0], slug: undefined }] });
    expect(errorsOf(await apply())).toEqual([400, '/offers/0/image/url']);
    await upload(png(920, 320), other.client);
    expect((await apply()).status).toBe(200);
    expect((await apply()).body).toMatchObject({ create: [], update: [] });
    const copied = (await other.client.get(`${PUBLIC}/config`)).body;
    expect([copied.offers, copied.flows[0].definition]).toEqual([document.offers, document.flows[0].definition]);
  });
});
