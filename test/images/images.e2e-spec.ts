import { Jobs } from '../../src/platform/database/queue/jobs.service';
import { Service, serviceForAll, workspaceForEach } from '../support/service';
import { JPEG, png, WEBP } from '../support/pictures';
import { until } from '../support/until';

const [IMAGES, OFFERS, FLOWS] = ['images', 'offers', 'flows'].map((things) => `/api/v1/public/${things}`);
const BYTES = 'application/octet-stream';
const PNG = png(920, 320);

describe('A picture', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  const upload = (body: Uint8Array | string, type: string = BYTES, client = acme.client) =>
    client.send('POST', IMAGES, { body, headers: { 'content-type': type } });
  const read = (path: string) => fetch(service.client.baseUrl + path);
  const faultOf = async (body: Uint8Array | string, type?: string) => {
    const answer = await upload(body, type);
    return [answer.status, answer.body.errors?.[0].message];
  };

  it.each([
    ['PNG', 'image/png', PNG, 920, 320],
    ['JPEG', 'image/jpeg', JPEG, 1, 1],
    ['WebP', 'image/webp', WEBP, 1, 1],
  ])('is uploaded and served as what it is: %s', async (_, type, picture, width, height) => {
    const { status, body } = await upload(picture);
    expect([status, body]).toEqual([201, { id: body.id, url: `/images/${body.id}` }]);
    const served = await read(body.url);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
    const { images } = (await acme.client.get(IMAGES)).body;
    expect(images).toEqual([{ ...body, type, width, height, created_at: expect.any(String) }]);
  });

  it('has the type of its content, whatever the request says', async () => {
    const { body } = await upload(PNG, 'image/webp');
    expect((await read(body.url)).headers.get('content-type')).toBe('image/png');
  });

  it('is there once, however often it is uploaded, by several at once, too', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(PNG)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await acme.client.get(IMAGES)).body.images).toHaveLength(1);
  });

  it('has the same address in every workspace, and stays there until the last has deleted it', async () => {
    const other = await service.workspace();
    const picture = png(3, 5);
    const { id, url } = (await upload(picture)).body;
    expect((await upload(picture, BYTES, other.client)).body.url).toBe(url);
    await acme.client.delete(`${IMAGES}/${id}`);
    expect((await read(url)).status).toBe(200);
    await other.client.delete(`${IMAGES}/${id}`);
    expect((await read(url)).status).toBe(404);
  });

  it.each<[string, Uint8Array | string, string]>([
    ['text', 'not a picture at all', 'must be a PNG, JPEG or WebP picture'],
    ['nothing', '', 'must be a PNG, JPEG or WebP picture'],
    [
      'an SVG with a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'must be a PNG',
    ],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'), 'must be a PNG'],
    ['a page', '<!doctype html><script>alert(1)</script>', 'must be a PNG'],
    ['the beginning of a picture', PNG.subarray(0, 60), 'is a picture that is broken, or not whole'],
    [
      'a page that begins like a picture',
      Buffer.concat([PNG.subarray(0, 8), Buffer.from('<html>'), PNG.subarray(-12)]),
      'is a picture that is broken',
    ],
    ['a JPEG of nothing', Buffer.from('ffd8ffffd9', 'hex'), 'is a picture that is broken'],
    [
      'a header whose size lies behind its end',
      Buffer.from('ffd8ffc0000408080000ffd9', 'hex'),
      'is a picture that is broken',
    ],
    ['a WebP of nothing', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'is a picture that is broken'],
    ['a WebP of 20 bytes', Buffer.from('RIFF\x0c\0\0\0WEBPVP8X\0\0\0\0', 'latin1'), 'is a picture that is broken'],
    ['a PNG without width', png(0, 5), 'is a picture without a size'],
    ['10,000 × 10,000 pixels', png(10_000, 10_000), 'must be at most 4096 pixels wide and high: it is 10000 × 10000'],
    ['4,097 pixels in height', png(1, 4097), 'must be at most 4096 pixels'],
    ['200,001 bytes', Buffer.concat([PNG.subarray(0, 40), Buffer.alloc(199_961)]), 'must be at most 200,000 bytes'],
  ])('is none, and nothing is kept, where it is %s', async (_, body, message) => {
    expect(await faultOf(body)).toEqual([400, expect.stringContaining(message)]);
    expect((await acme.client.get(IMAGES)).body.images).toEqual([]);
  });

  it.each(['image/svg+xml', 'text/html', 'multipart/form-data; boundary=x', 'application/json'])(
    'is not taken as %s',
    async (type) => {
      expect((await upload('{}', type)).status).toBe(415);
    },
  );

  it('may be as large as it may be', async () => {
    expect((await upload(png(4096, 4096))).status).toBe(201);
  });

  it('of more than a body may have is refused before it is read', async () => {
    expect((await upload(Buffer.alloc(300_000))).status).toBe(413);
  });

  it('is taken nowhere else', async () => {
    const send = { body: PNG, headers: { 'content-type': 'image/png' } };
    for (const path of ['/api/v1/public/flows', '/api/v1/runtime/session/init']) {
      expect([(await acme.client.send('POST', path, send)).status, path]).toEqual([415, path]);
    }
  });

  it('is served without what its file says besides: the address stays that of the file that was sent', async () => {
    const file = Buffer.concat([PNG, Buffer.from('<script>GPS 52.52</script>')]);
    const { body } = await upload(file);
    expect(body.url).not.toBe((await upload(PNG)).body.url);
    expect((await upload(file)).body.url).toBe(body.url);
    const served = Buffer.from(await (await read(body.url)).arrayBuffer());
    expect(served.equals(PNG)).toBe(true);
  });

  it('is not sent again to a browser that has it', async () => {
    const { url } = (await upload(png(8, 9))).body;
    const etag = (await read(url)).headers.get('etag')!;
    const again = await fetch(service.client.baseUrl + url, { headers: { 'if-none-match': etag } });
    expect([again.status, (await again.arrayBuffer()).byteLength, again.headers.get('etag')]).toEqual([304, 0, etag]);
  });

  it('is read once for all who ask for it', async () => {
    const { id, url } = (await upload(png(8, 11))).body;
    await read(url);
    await service.database.query('UPDATE images SET content = $1 WHERE id = $2', [png(1, 1), id]);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => (await read(url)).arrayBuffer()));
    expect(answers.every((content) => Buffer.from(content).equals(png(8, 11)))).toBe(true);
  });

  describe('that is shown', () => {
    const offer = (image: object | null) => ({
      name: 'Half price',
      offer_type: 'custom',
      offer_value: '50 %',
      offer_duration: '3 months',
      heading: 'Stay',
      body: '',
      cta_accept: 'Yes',
      cta_decline: 'No',
      image,
    });
    const flow = (image: object) => ({
      name: 'Leaving',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/cancel',
      flow_mode: 'advanced',
      status: 'published',
      definition: {
        entry: 'start',
        nodes: [
          { key: 'start', type: 'start', config: { title: 'Wait', image }, next: 'sure' },
          { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
        ],
      },
    });
    const deletion = (id: string, query = '') => acme.client.delete(`${IMAGES}/${id}${query}`);

    it('is deleted by force alone, and until then it is said where it is shown', async () => {
      const { id, url } = (await upload(png(20, 1))).body;
      const image = { url, alt: 'Tours' };
      const offerId = (await acme.client.post(OFFERS, offer(image))).body.id;
      const flowId = (await acme.client.post(FLOWS, flow(image))).body.id;
      const drafted = (await acme.client.post(OFFERS, offer(null))).body.id;
      await acme.client.put(`${OFFERS}/${drafted}/draft`, { image });
      const { status, body } = await deletion(id);
      expect([status, body.code]).toEqual([409, 'image_in_use']);
      expect(body.used_in).toHaveLength(3);
      expect(body.used_in).toEqual(
        expect.arrayContaining([
          { type: 'offer', id: offerId, name: 'Half price', is_draft: false },
          { type: 'flow', id: flowId, name: 'Leaving', is_draft: false },
          { type: 'offer', id: drafted, name: 'Half price', is_draft: true },
        ]),
      );
      expect((await read(url)).status).toBe(200);
      expect((await deletion(id, '?force=yes')).body.errors[0].parameter).toBe('force');
      expect((await deletion(id, '?force=true')).status).toBe(200);
      expect((await read(url)).status).toBe(404);
    });

    it('is in the way of no deletion once it is archived, or in another workspace', async () => {
      const other = await service.workspace();
      const { id, url } = (await upload(png(20, 2))).body;
      await upload(png(20, 2), BYTES, other.client);
      const image = { url, alt: 'Tours' };
      await other.client.post(OFFERS, offer(image));
      const archived = (await acme.client.post(OFFERS, offer(image))).body.id;
      await acme.client.delete(`${OFFERS}/${archived}`);
      expect((await deletion(id)).status).toBe(200);
    });

    it('is named twenty times at most', async () => {
      const { id, url } = (await upload(png(20, 3))).body;
      for (let one = 0; one < 22; one++) await acme.client.post(OFFERS, offer({ url, alt: 'Tours' }));
      expect((await deletion(id)).body.used_in).toHaveLength(20);
    });

    it('is left out of a version that is restored after it is gone, and that is said', async () => {
      const { id, url } = (await upload(png(20, 4))).body;
      const image = { url, alt: 'Tours' };
      const offerId = (await acme.client.post(OFFERS, offer(image))).body.id;
      await acme.client.put(`${OFFERS}/${offerId}`, { image: null });
      const flowId = (await acme.client.post(FLOWS, flow(image))).body.id;
      await acme.client.put(`${FLOWS}/${flowId}`, { definition: flow({ url, alt: 'x' }).definition });
      const { definition } = flow(image);
      const without = {
        ...definition,
        nodes: [{ ...definition.nodes[0], config: { title: 'Wait' } }, definition.nodes[1]],
      };
      await acme.client.put(`${FLOWS}/${flowId}`, { definition: without });
      expect((await deletion(id)).status).toBe(200);

      const message = 'is left out: the picture was deleted since';
      const restored = await acme.client.post(`${OFFERS}/${offerId}/versions/1/restore`, {});
      expect([restored.status, restored.body.warnings]).toEqual([200, [{ pointer: '/image', message }]]);
      expect((await acme.client.get(`${OFFERS}/${offerId}`)).body.image).toBeNull();
      const again = await acme.client.post(`${FLOWS}/${flowId}/versions/1/restore`, {});
      expect([again.status, again.body.warnings]).toEqual([
        200,
        [{ pointer: '/definition/nodes/0/config/image', message }],
      ]);
    });

    it('can not be deleted while a change that shows it is under way', async () => {
      const { id, url } = (await upload(png(20, 5))).body;
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => acme.client.post(OFFERS, offer({ url, alt: 'Tours' }))),
        deletion(id),
        ...Array.from({ length: 5 }, () => acme.client.post(OFFERS, offer({ url, alt: 'Tours' }))),
      ]);
      const isDeleted = answers[5].status === 200;
      const created = answers.filter(({ status }) => status === 201).length;
      expect([isDeleted, created > 0]).toEqual([isDeleted, !isDeleted]);
    });
  });

  it('is uploaded sixty times a minute at most', async () => {
    const { client } = await service.workspace();
    const statuses = [];
    for (let one = 0; one < 61; one++) statuses.push((await upload(png(1, 1), BYTES, client)).status);
    expect(statuses.slice(0, 60)).not.toContain(429);
    expect(statuses[60]).toBe(429);
  });

  it('is uploaded and deleted by editors, and listed by whoever may read', async () => {
    const { id } = (await upload(PNG)).body;
    const viewer = await service.person(acme, 'viewer');
    expect((await viewer.get(IMAGES)).body.images).toHaveLength(1);
    expect((await upload(JPEG, BYTES, viewer)).status).toBe(403);
    expect((await viewer.delete(`${IMAGES}/${id}`)).status).toBe(403);
  });

  it('is one of at most 500 of a workspace, each listed once', async () => {
    await service.database.query(
      `INSERT INTO images (workspace_id, id, type, width, height, content, created_at)
        SELECT $1, gen_random_uuid(), 'image/png', 1, 1, '\\x00', now() FROM generate_series(1, 500)`,
      [acme.id],
    );
    expect((await upload(PNG)).body.code).toBe('image_limit_reached');
    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await acme.client.get(`${IMAGES}?limit=150${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.images) seen.add(id);
      cursor = body.next_cursor;
    }
    expect([seen.size, (await acme.client.get(IMAGES)).body.images.length]).toEqual([500, 500]);
    // They are no pictures: whoever strips pictures would say so.
    await service.database.query('DELETE FROM images WHERE workspace_id = $1', [acme.id]);
  });

  it.each(['/images/nothing', '/images/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a', '/images/..%2f..%2fetc', '/images/%00'])(
    'is not at %s',
    async (path) => {
      expect((await read(path)).status).toBe(404);
    },
  );
});

describe('A picture that an older version has kept', () => {
  const service = serviceForAll(() => Service.start({ BACKGROUND_JOBS: 'true' }));

  it('is stripped of its metadata', async () => {
    const { client } = await service.workspace();
    const upload = { body: png(4, 6), headers: { 'content-type': BYTES } };
    const { id, url } = (await client.send('POST', IMAGES, upload)).body;
    const kept = Buffer.concat([png(4, 6), Buffer.from('GPS 52.52')]);
    await service.database.query('UPDATE images SET content = $1, is_stripped = false WHERE id = $2', [kept, id]);
    const rows = () => service.database.query('SELECT content, is_stripped FROM images WHERE id = $1', [id]);
    service.app.get(Jobs).runNow('Stripping pictures');
    const [stripped] = await until(rows, ([row]) => row.is_stripped);
    expect(stripped.content.equals(png(4, 6))).toBe(true);
    expect((await fetch(service.client.baseUrl + url)).status).toBe(200);
  });
});
