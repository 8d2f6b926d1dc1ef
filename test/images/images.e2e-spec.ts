import { serviceForAll, workspaceForEach } from '../support/service';
import { JPEG, png, WEBP } from '../support/pictures';

const IMAGES = '/api/v1/public/images';
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
    ['the beginning of a picture', PNG.subarray(0, 60), 'does not end like a picture'],
    [
      'a picture with a page behind it',
      Buffer.concat([PNG, Buffer.from('<script>1</script>')]),
      'does not end like a picture',
    ],
    [
      'a page that begins like a picture',
      Buffer.concat([PNG.subarray(0, 8), Buffer.from('<html>'), PNG.subarray(-12)]),
      'is a picture without a size',
    ],
    ['a JPEG of nothing', Buffer.from('ffd8ffffd9', 'hex'), 'is a picture without a size'],
    ['a WebP of nothing', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'is a picture without a size'],
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

  it('is uploaded and deleted by editors, and listed by whoever may read', async () => {
    const { id } = (await upload(PNG)).body;
    const viewer = await service.person(acme, 'viewer');
    expect((await viewer.get(IMAGES)).body.images).toHaveLength(1);
    expect((await upload(JPEG, BYTES, viewer)).status).toBe(403);
    expect((await viewer.delete(`${IMAGES}/${id}`)).status).toBe(403);
  });

  it('is one of at most 500 of a workspace', async () => {
    await service.database.query(
      `INSERT INTO images SELECT $1, gen_random_uuid(), 'image/png', 1, 1, '\\x00', now() FROM generate_series(1, 500)`,
      [acme.id],
    );
    expect((await upload(PNG)).body.code).toBe('image_limit_reached');
  });

  it.each(['/images/nothing', '/images/019a9f3c-9e21-7b6d-8d2f-1f2e3d4c5b6a', '/images/..%2f..%2fetc', '/images/%00'])(
    'is not at %s',
    async (path) => {
      expect((await read(path)).status).toBe(404);
    },
  );
});
