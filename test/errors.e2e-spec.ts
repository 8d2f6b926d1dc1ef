import { createDocument } from '../src/openapi';
import type { Answer, Client } from './support/client';
import { exchange, untilHungUp } from './support/exchange';
import { Service, Tenant } from './support/service';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';
const KIB = 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const ORIGIN = { origin: 'https://shop.example' };

const offer = { name: 'Half price', offer_type: 'custom' };

/** What would tell of the machinery behind an answer: a stack, a file, a product, a version, a query. */
const MACHINERY =
  /node_modules|\bat .+:\d+:\d+|\.[jt]s\b|fastify|\bnest(js)?\b|\bexpress\b|typeorm|postgres|select .+ from|\d+\.\d+\.\d+/i;

/** Levels of lists, one in the other. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** A JSON body of exactly this many bytes: white space is part of JSON. */
const ofSize = (body: object, bytes: number): string => JSON.stringify(body).padEnd(bytes, ' ');

/** An answer must be a problem and nothing but: in this one shape, known by its id, without a word on the machinery. */
function expectProblem({ status, headers, body }: Answer): void {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
  expect(body).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
    status,
    detail: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    request_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ...('errors' in body && { errors: expect.any(Array) }),
    ...('cancellation_url' in body && { cancellation_url: expect.any(String) }),
  });
  for (const error of body.errors ?? []) {
    expect(error).toEqual({ pointer: expect.stringMatching(/^(\/.*)?$/s), message: expect.stringMatching(/\S/) });
  }
  expect(headers.get('request-id')).toBe(body.request_id);
  expectNoMachinery(headers, JSON.stringify(body));
}

function expectNoMachinery(headers: Headers, text: string): void {
  expect(text).not.toMatch(MACHINERY);
  expect([...headers.keys()].filter((name) => /^(server|via|x-powered-by|x-.*version.*)$/.test(name))).toEqual([]);
  expect([...headers].filter(([name, value]) => name !== 'date' && MACHINERY.test(value))).toEqual([]);
}

describe('Errors', () => {
  let service: Service;
  let acme: Tenant;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    acme = await service.workspace();
  });

  /** Sends a body, as it is, to the management interface. */
  const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    acme.client.send('POST', OFFERS, { headers, body });
  const storedOffers = async () => (await acme.client.get(OFFERS)).body.offers;

  async function expectRefusal(answer: Answer, status: number, code: string, ...pointers: string[]): Promise<void> {
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expectProblem(answer);
    if (pointers.length > 0) {
      expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    }
    expect(await storedOffers()).toEqual([]);
  }

  describe('A path', () => {
    it.each(['/nothing', '/api', '/api/v1', '/api/v2/public/offers', '/api/v1/public//offers', '/docs/nothing'])(
      'that nothing is at is 404: %s',
      async (path) => {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
          await expectRefusal(await acme.client.send(method, path), 404, 'not_found');
        }
      },
    );

    it.each([
      ['PATCH', OFFERS],
      ['DELETE', OFFERS],
      ['PUT', OFFERS],
      ['PURGE', OFFERS],
      ['POST', `${OFFERS}/019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b`],
      ['DELETE', OWN],
      ['GET', INIT],
      ['PUT', INIT],
      ['GET', '/api/v1/admin/workspaces/019a9f3c-8b44-7f10-9a4e-5c6d7e8f9a0b/api-keys'],
    ])('has nothing for another method: %s %s', async (method, path) => {
      const answer = await acme.client.send(method, path);
      expect([404, 405]).toContain(answer.status);
      expectProblem(answer);
    });

    it.each([
      ['a percent sign alone', '/%'],
      ['a percent sign before no digits', '/%zz'],
      ['a byte that is no UTF-8', '/%ff'],
      ['junk below the docs', '/docs/%zz'],
      ['NUL below the docs', '/docs/%00'],
      ['the way out of the docs', '/docs/..%2f..%2fpackage.json'],
      ['a percent sign as id', `${OFFERS}/%`],
      ['a percent sign before no digits as id', `${OFFERS}/%zz`],
      ['bytes that are no UTF-8 as id', `${OFFERS}/%c3%28`],
      ['NUL as id', `${OFFERS}/%00`],
      ['a way elsewhere as id', `${OFFERS}/..%2fworkspace`],
      ['an id of 5000 characters', `${OFFERS}/${'x'.repeat(5000)}`],
    ])('of junk is 400 or 404: %s', async (_, path) => {
      const answer = await acme.client.get(path);
      expect([400, 404]).toContain(answer.status);
      expectProblem(answer);
    });

    it('of junk is a problem for every method', async () => {
      for (const method of ['PUT', 'DELETE']) {
        const answer = await acme.client.send(method, `${OFFERS}/%zz`);
        expect([400, 404]).toContain(answer.status);
        expectProblem(answer);
      }
    });
  });

  describe('A query', () => {
    it.each(['colour=red', 'limit[]=1', 'Limit=1', '__proto__=1', 'constructor=1', 'toString=1', '=1'])(
      'with an unknown parameter is 400: ?%s',
      async (query) => {
        await expectRefusal(
          await acme.client.get(`${OFFERS}?${query}`),
          400,
          'invalid_request',
          `/${query.split('=')[0]}`,
        );
      },
    );

    it.each([
      ['GET', OWN],
      ['PUT', OWN],
      ['DELETE', '/api/v1/public/customers/cus_1'],
      ['POST', INIT],
    ])('is refused where none is taken: %s %s', async (method, path) => {
      await expectRefusal(
        await acme.client.sendJson(method, `${path}?dry_run=true`, undefined),
        400,
        'invalid_request',
        '/dry_run',
      );
    });

    it.each(['limit=%zz', 'limit=%00', 'cursor=%00', 'cursor=%ff', 'status=%ed%a0%80', 'limit=%F0%9F%92%B8'])(
      'of junk is 400: ?%s',
      async (query) => {
        await expectRefusal(await acme.client.get(`${OFFERS}?${query}`), 400, 'invalid_request');
      },
    );
  });

  describe('A body', () => {
    it.each([
      ['broken', '{"name":'],
      ['cut off', '{"name":"A","offer_type":"custom"'],
      ['followed by more', '{"name":"A","offer_type":"custom"}{}'],
      ['with a comment', '{"name":"A",/**/"offer_type":"custom"}'],
      ['with a trailing comma', '{"name":"A","offer_type":"custom",}'],
      ['with single quotes', "{'name':'A','offer_type':'custom'}"],
      ['with NaN', '{"name":NaN}'],
      ['of white space', ' \r\n\t'],
      ['of no JSON at all', '<xml/>'],
    ])('that is no JSON is 400: %s', async (_, body) => {
      await expectRefusal(await post(body), 400, 'invalid_request', '');
    });

    it.each(['[]', `[${JSON.stringify(offer)}]`, '"text"', '1', '0', '-0', 'true', 'false', 'null', '{}'])(
      'that is no object of fields is 400: %s',
      async (body) => {
        await expectRefusal(await post(body), 400, 'invalid_request');
        expectProblem(await service.client.send('POST', INIT, { headers: JSON_TYPE, body }));
        expect((await acme.client.send('PUT', OWN, { headers: JSON_TYPE, body })).status).toBe(400);
      },
    );

    it('with very many faults is told of the first hundred, and how many more there are', async () => {
      const options = Array.from({ length: 20 }, () => ({ unknown: true, value: 'a', label: 'A' }));
      const node = { key: 'a', type: 'survey', config: { title: 'Why?', options } };
      const definition = { entry: 'a', nodes: Array.from({ length: 6 }, () => node) };
      const { body } = await acme.client.post('/api/v1/public/flows', { definition });
      expect(body.errors).toHaveLength(100);
      expect(body.detail).toMatch(/^\/name must be text of 1 to 200 characters, not blank, and \d+ more\.$/);
    });

    it('with a list that is too long is told so, and nothing of what is in it', async () => {
      const nodes = Array.from({ length: 51 }, () => ({ unknown: true }));
      const { body } = await acme.client.put(`/api/v1/public/flows/${(await acme.flow()).id}`, {
        definition: { entry: 'a', nodes },
      });
      expect(body.errors).toEqual([{ pointer: '/definition/nodes', message: 'must be a list of 1 to 50 nodes' }]);
    });

    it('that is empty or missing is 400 where one is needed', async () => {
      for (const headers of [JSON_TYPE, undefined]) {
        for (const [method, path] of [
          ['POST', OFFERS],
          ['PUT', OWN],
          ['POST', INIT],
        ]) {
          await expectRefusal(await acme.client.send(method, path, { headers }), 400, 'invalid_request');
        }
      }
    });

    it.each([
      ['NUL in a text', '{"name":"a\\u0000b"}', '/name'],
      ['NUL alone', '{"name":"\\u0000"}', '/name'],
      ['NUL in a key', '{"na\\u0000me":"a"}', ''],
      ['half a surrogate pair in a text', '{"name":"a\\ud83d"}', '/name'],
      ['a surrogate pair the wrong way round', '{"name":"\\udcb8\\ud83d"}', '/name'],
      ['half a surrogate pair in a key', '{"\\udcb8":"a"}', ''],
      ['NUL deep inside', '{"a":[{"b/c~d":["\\u0000"]}]}', '/a/0/b~1c~0d/0'],
      ['half a surrogate pair in a key deep inside', '{"a":[{"\\ud83d":1}]}', '/a/0'],
    ])('that Postgres could not keep as it is, is 400: %s', async (_, body, pointer) => {
      await expectRefusal(await post(body), 400, 'invalid_request', pointer);
    });

    it.each([
      ['a lone continuation byte', [0x80]],
      ['a byte that never occurs', [0xff]],
      ['a character cut off', [0xf0, 0x9f, 0x92]],
      ['an overlong slash', [0xc0, 0xaf]],
      ['half a surrogate pair', [0xed, 0xa0, 0xbd]],
      ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ])('that is no UTF-8 is 400: %s', async (_, bytes) => {
      const body = Buffer.concat([
        Buffer.from('{"offer_type":"custom","name":"a'),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ]);
      await expectRefusal(await post(new Uint8Array(body)), 400, 'invalid_request', '');
    });

    it.each([
      ['1e400', '1e400'],
      ['-1e400', '-1e400'],
      ['1 and 400 zeros', `1${'0'.repeat(400)}`],
    ])('with a number out of range is 400: %s', async (_, number) => {
      await expectRefusal(await post(`{"name":${number}}`), 400, 'invalid_request', '/name');
      await expectRefusal(await post(`{"deep":[[${number}]]}`), 400, 'invalid_request', '/deep/0/0');
    });

    it('may be nested 32 levels deep, and no deeper', async () => {
      const { status, body } = await post(nested(32));
      expect(status).toBe(400);
      expect(JSON.stringify(body.errors)).not.toMatch(/deep/);
      await expectRefusal(await post(nested(33)), 400, 'invalid_request', '/0'.repeat(32));
      await expectRefusal(await post(`{"a":${nested(32)}}`), 400, 'invalid_request', `/a${'/0'.repeat(31)}`);
      await expectRefusal(await post(nested(4000)), 400, 'invalid_request', '/0'.repeat(32));
    });

    it.each([
      ['5,000 values', JSON.stringify({ ...offer, list: Array(5000).fill(0) }), ''],
      ['5,000 values in lists of lists', nested(100_000), ''],
      [
        '100 fields in an object',
        JSON.stringify({ a: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, n])) }),
        '/a',
      ],
      ['200 characters in a key', JSON.stringify({ a: [{ ['k'.repeat(201)]: 1 }] }), '/a/0'],
    ])('with more than %s is 400', async (_, body, pointer) => {
      await expectRefusal(await post(body), 400, 'invalid_request', pointer);
    });

    it('gets a short answer, however long its keys are', async () => {
      const { status, body } = await post(JSON.stringify({ ...offer, ['/'.repeat(250_000)]: 1 }));
      expect(status).toBe(400);
      expect(JSON.stringify(body).length).toBeLessThan(1000);
    });

    it.each([
      ['9007199254740993', "can't be stored exactly: it would become 9007199254740992"],
      ['0.1000000000000000055', "can't be stored exactly: it would become 0.1"],
      ['1e-400', "can't be stored exactly: it would become 0"],
    ])('with a number that would be changed is 400: %s', async (number, message) => {
      const answer = await post(`{"name":"A","deep":[{"a/b":${number}}]}`);
      await expectRefusal(answer, 400, 'invalid_request', '/deep/0/a~1b');
      expect(answer.body.errors[0].message).toBe(message);
    });

    it('with a key twice in one object is 400, however it is written', async () => {
      await expectRefusal(await post('{"name":"A","name":"B","offer_type":"custom"}'), 400, 'invalid_request', '/name');
      await expectRefusal(await post('{"a":[0,{"b":1,"\\u0062":1}]}'), 400, 'invalid_request', '/a/1/b');
      const body = '{"flow_slug":"x","customer":{"id":"y","attributes":{"plan":1,"plan":1}}}';
      const init = await service.client.send('POST', INIT, { headers: JSON_TYPE, body });
      expect([init.status, init.body.errors[0].pointer]).toEqual([400, '/customer/attributes/plan']);
    });

    it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '\\u005f_proto__'])(
      'with a key that objects have of themselves is 400: %s',
      async (key) => {
        for (const value of ['null', '"x"', '{"admin":true}', '{"prototype":{"admin":true}}']) {
          await expectRefusal(
            await post(`{"name":"A","offer_type":"custom","${key}":${value}}`),
            400,
            'invalid_request',
          );
        }
        const body = `{"flow_slug":"x","customer":{"id":"y","${key}":1}}`;
        expect((await service.client.send('POST', INIT, { headers: JSON_TYPE, body })).status).toBe(400);
        expect(({} as Record<string, unknown>).admin).toBeUndefined();
      },
    );

    it.each([
      ['colour', 'red'],
      ['then', {}],
      ['', 1],
      ['workspace_id', 'x'],
      ['a/b~c', 1],
    ])('with an unknown field is 400: %j', async (field, value) => {
      const pointer = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      await expectRefusal(
        await acme.client.post(OFFERS, { ...offer, [field]: value }),
        400,
        'invalid_request',
        pointer,
      );
      const init = await service.client.post(INIT, { flow_slug: 'x', customer: { id: 'y', [field]: value } });
      expect([init.status, init.body.errors[0].pointer]).toEqual([400, `/customer${pointer}`]);
    });

    it.each([
      ['a form', 'application/x-www-form-urlencoded', 'name=A&offer_type=custom'],
      ['a form with files', 'multipart/form-data; boundary=x', '--x--'],
      ['text', 'text/plain', JSON.stringify(offer)],
      ['text with a character set', 'text/plain; charset=utf-8', JSON.stringify(offer)],
      ['JSON by an old name', 'text/json', JSON.stringify(offer)],
      ['a JSON patch', 'application/json-patch+json', '[]'],
      ['no type that there is', 'json', JSON.stringify(offer)],
      ['an empty type', '', JSON.stringify(offer)],
      ['JSON after a comma', 'text/plain, application/json', JSON.stringify(offer)],
    ])('that is not declared as JSON is 415: %s', async (_, type, body) => {
      const answer = await post(body, { 'content-type': type });
      await expectRefusal(answer, 415, 'unsupported_media_type');
      const init = await service.client.send('POST', INIT, { headers: { 'content-type': type }, body });
      expect(init.status).toBe(415);
      expectProblem(init);
    });

    it('without a content type is 415', async () => {
      const body = new TextEncoder().encode(JSON.stringify(offer));
      await expectRefusal(await post(body, {}), 415, 'unsupported_media_type');
    });

    it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])(
      'may be declared as %s',
      async (type) => {
        expect((await post(JSON.stringify(offer), { 'content-type': type })).status).toBe(201);
      },
    );

    it('may have 256 KB, and no more: 413', async () => {
      await expectRefusal(await post(ofSize(offer, 256 * KIB + 1)), 413, 'payload_too_large');
      expect((await post(ofSize(offer, 256 * KIB))).status).toBe(201);
    });

    it('may have 16 KB on the runtime interface, and no more: 413', async () => {
      const init = (bytes: number) =>
        service.client.send('POST', INIT, { headers: JSON_TYPE, body: ofSize({ flow_slug: 'none-has-it' }, bytes) });
      expect((await init(16 * KIB)).body.code).toBe('flow_not_found');
      await expectRefusal(await init(16 * KIB + 1), 413, 'payload_too_large');
    });

    it.each(['{"dry_run":true}', '{}', '[]', 'null'])('is refused where none is taken: %s', async (body) => {
      const { id } = await acme.offer();
      const answer = await acme.client.send('DELETE', `${OFFERS}/${id}`, { headers: JSON_TYPE, body });
      expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer: '', message: 'must be empty here' }]]);
      expect((await storedOffers()).length).toBe(1);
    });

    it('is not needed where none is taken, whatever the content type says', async () => {
      expect((await acme.client.get(OFFERS, JSON_TYPE)).status).toBe(200);
      const { id } = await acme.offer();
      expect((await acme.client.delete(`${OFFERS}/${id}`, JSON_TYPE)).status).toBe(200);
    });
  });

  describe('No value of any field', () => {
    const long = 'x'.repeat(6000);
    const groups: unknown[][] = [
      [null, true, 0, -1, 1.5, 1e308, 2 ** 31, -(2 ** 63)],
      ['', ' ', '0', 'null', '💸', '\u202e', '\uffff', '\\', long, "';--", '$1', '%00', '${x}'],
      ['javascript:1', 'https://', 'http://[::1', 'a@b', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59'],
      [[], {}, [null], [[]], [{}], [long], { length: 1e9 }, { id: {} }],
      [Array.from({ length: 200 }, (_, number) => `https://site-${number}.example`)],
      [Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`key${number}`, number]))],
    ];
    const values = groups.flat();

    it('gets a 500, or anything but the answer of a good request, a 400 or a conflict', async () => {
      const failures: unknown[] = [];
      const operations = operationsWithBody(service);
      expect(operations.length).toBeGreaterThan(8);
      for (const { method, path, success, example } of operations) {
        const operation = `${method} ${path}`;
        const tenant = await service.workspace();
        const client = path.startsWith('/api/v1/admin/') ? service.operator : tenant.client;
        const { slug } = await tenant.publishedFlow();
        const session = (await client.post(INIT, { flow_slug: slug })).body;
        const [collection] = path.split('/{');
        const create = operations.find((one) => one.method === 'POST' && one.path === collection);
        const id = create ? (await client.post(collection, create.example)).body.id : session.session_id;
        const send = (body: object) => client.sendJson(method, path.replace('{id}', id), body);

        // Beside the one value everything is good, so that it gets as far as it can.
        const good = 'flow_slug' in example ? { ...example, flow_slug: slug } : example;
        expect([operation, (await send(good)).status]).toEqual([operation, success]);
        for (const field of Object.keys(example)) {
          const answers = await Promise.all(values.map((value) => send({ ...good, [field]: value })));
          const expected = [success, 400, field === 'flow_slug' ? 404 : 409];
          const failed = values.filter((_, index) => !expected.includes(answers[index].status));
          if (failed.length > 0) failures.push({ operation, field, failed });
        }
      }
      expect(failures).toEqual([]);
    }, 60_000);
  });

  describe('Every answer', () => {
    const answers = (as: Client) =>
      Promise.all([
        as.get(OFFERS),
        as.post(OFFERS, offer),
        as.post(OFFERS, {}),
        as.get(`${OFFERS}/nonsense`),
        as.get(OWN),
        as.get('/nothing'),
        as.get('/docs'),
        as.post(INIT, { flow_slug: 'none-has-it' }),
        as.send('OPTIONS', OFFERS),
        as.send('OPTIONS', INIT),
      ]);

    it('carries a Request-Id of its own', async () => {
      const all = [...(await answers(acme.client)), ...(await answers(service.client))];
      const ids = all.map(({ headers }) => headers.get('request-id'));
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(new Set(ids).size).toBe(all.length);
    });

    it('has the Request-Id that it came with, when that is harmless', async () => {
      const answered = async (id: string) =>
        (await acme.client.get(OWN, { 'request-id': id })).headers.get('request-id');
      for (const id of ['a', 'Trace_7-b', 'x'.repeat(64)]) expect(await answered(id)).toBe(id);
      for (const id of ['', 'x'.repeat(65), 'a b', 'a"b', '{"level":60}', 'é', 'a, b']) {
        expect(await answered(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }
    });

    it('tells nothing of the machinery in its headers', async () => {
      for (const { headers } of await answers(acme.client)) expectNoMachinery(headers, '');
    });
  });

  describe('The socket', () => {
    it.each([
      ['what is no HTTP', 'nonsense\r\n\r\n'],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a path with NUL', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
      ['a header with NUL', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
      ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
      ['a length that is no number', `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n`],
      ['two lengths', `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
      [
        'a length beside chunks',
        `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      ],
      [
        'a chunk without a size',
        `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ],
    ])('answers 400 to %s', async (_, request) => {
      const answer = await exchange(service, request);
      expect([answer.status, answer.body?.code]).toEqual([400, 'invalid_request']);
      expectProblem(answer);
    });

    it('answers a request that came whole before it refuses what comes behind it', async () => {
      const { id } = await acme.offer();
      const request = `DELETE ${OFFERS}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n\r\n`;
      const text = await untilHungUp(service, `${request}nonsense\r\n\r\n`);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(statuses).toEqual(['200', '400']);
    });

    it('answers 431 to headers that are too large', async () => {
      const answer = await exchange(service, `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`);
      expect([answer.status, answer.body?.code]).toEqual([431, 'headers_too_large']);
      expectProblem(answer);
    });

    it('answers a problem to an expectation that it cannot meet', async () => {
      const request = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
      const answer = await exchange(service, request);
      expect([400, 415, 417]).toContain(answer.status);
      expectProblem(answer);
    });

    it('answers 413 as soon as chunks exceed the limit, though nothing told their length', async () => {
      const head = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await exchange(service, `${head}${(16 * KIB + 1).toString(16)}\r\n${' '.repeat(16 * KIB + 1)}`);
      expect([answer.status, answer.body?.code]).toEqual([413, 'payload_too_large']);
      expectProblem(answer);
    });

    it('answers 408 within seconds to whoever sends nothing, half a request, or a byte now and then', async () => {
      const head = `POST ${INIT} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
      const answers = await Promise.all([
        exchange(service, ''),
        exchange(service, head),
        exchange(service, head, 'X'),
        exchange(service, `${head}\r\n{`),
        exchange(service, `${head}\r\n{`, ' '),
      ]);
      for (const answer of answers) {
        expect([answer.status, answer.body?.code]).toEqual([408, 'request_timeout']);
        expectProblem(answer);
        expect(answer.seconds).toBeLessThan(9);
      }
    }, 20_000);
  });

  describe('CORS', () => {
    const allowed = ({ headers }: Answer) => headers.get('access-control-allow-origin');
    const corsOf = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
    const wordsOf = ({ headers }: Answer, name: string) => (headers.get(name) ?? '').toLowerCase().split(/, */);

    it('lets a page of any site call the runtime interface and read its answers, good or bad', async () => {
      const { slug } = await acme.publishedFlow();
      const send = (body: string, headers: Record<string, string>, method = 'POST', path = INIT) =>
        service.client.send(method, path, { headers: { ...ORIGIN, ...headers }, body: body || undefined });
      const answers = [
        await send(JSON.stringify({ flow_slug: slug }), JSON_TYPE),
        await send('{}', JSON_TYPE),
        await send('{', JSON_TYPE),
        await send('{"flow_slug":"none-has-it"}', JSON_TYPE),
        await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
        await send(' '.repeat(16 * KIB + 1), JSON_TYPE),
        await send('', {}, 'GET'),
        await send('', {}, 'GET', '/api/v1/runtime/nothing'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 404, 415, 413, 404, 404]);
      expect(answers.map(allowed)).toEqual(answers.map(() => '*'));
      for (const answer of answers) {
        expect(wordsOf(answer, 'access-control-expose-headers')).toEqual(
          expect.arrayContaining(['retry-after', 'request-id']),
        );
        expect(corsOf(answer)).not.toContain('access-control-allow-credentials');
      }
    });

    it('answers without an Origin, and with the origin null of a sandboxed page, alike', async () => {
      for (const headers of [undefined, { origin: 'null' }]) {
        expect(allowed(await service.client.post(INIT, {}, headers))).toBe('*');
      }
    });

    it('answers the preflight of a session start: 204, JSON and an Idempotency-Key are welcome', async () => {
      const answer = await service.client.send('OPTIONS', INIT, {
        headers: {
          ...ORIGIN,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,idempotency-key',
        },
      });
      expect([answer.status, answer.body]).toEqual([204, '']);
      expect(allowed(answer)).toBe('*');
      expect(wordsOf(answer, 'access-control-allow-methods')).toContain('post');
      expect(wordsOf(answer, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining(['content-type', 'idempotency-key']),
      );
      expect(wordsOf(answer, 'access-control-allow-headers')).not.toContain('authorization');
      expect(corsOf(answer)).not.toContain('access-control-allow-credentials');
    });

    it('answers an OPTIONS that is no preflight with nothing but 204 or a problem', async () => {
      for (const headers of [{}, ORIGIN]) {
        const answer = await service.client.send('OPTIONS', INIT, { headers });
        if (answer.status !== 204) expectProblem(answer);
        expect(allowed(answer)).toBe('*');
      }
    });

    it.each([OFFERS, `${OFFERS}/x`, '/api/v1/public/flows', OWN, '/api/v1/admin/workspaces', '/docs', '/nothing', '*'])(
      'is nothing that the rest has: OPTIONS %s is 404',
      async (path) => {
        const origin = 'Origin: https://shop.example\r\n';
        for (const headers of ['', origin, `${origin}Access-Control-Request-Method: POST\r\n`]) {
          const request = `OPTIONS ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
          const answer = await exchange(service, request);
          expect([answer.status, answer.body?.code]).toEqual([404, 'not_found']);
          expectProblem(answer);
          expect(corsOf(answer)).toEqual([]);
        }
      },
    );

    it('is nothing that the rest has, in any of its answers', async () => {
      const { id } = await acme.offer();
      const answers = [
        await acme.client.get(OFFERS, ORIGIN),
        await acme.client.post(OFFERS, offer, ORIGIN),
        await acme.client.post(OFFERS, {}, ORIGIN),
        await acme.client.delete(`${OFFERS}/${id}`, ORIGIN),
        await service.client.get(OWN, ORIGIN),
        await service.operator.get('/api/v1/admin/workspaces?limit=1', ORIGIN),
        await service.client.get('/docs/nothing', ORIGIN),
        await service.client.get('/docs', ORIGIN),
        await service.client.get('/nothing', ORIGIN),
        await service.client.get('/api/v1/runtime', ORIGIN),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 200, 401, 200, 404, 200, 404, 404]);
      expect(answers.map(corsOf)).toEqual(answers.map(() => []));
    });
  });
});

interface Operation {
  method: string;
  path: string;
  /** The status of its answer to a good request. */
  success: number;
  /** The examples of all fields of its body. */
  example: Record<string, unknown>;
}

/** Every operation of the OpenAPI document that takes a body. */
function operationsWithBody(service: Service): Operation[] {
  const { paths, components } = createDocument(service.app);
  return Object.entries(paths).flatMap(([path, item]) =>
    (['post', 'put'] as const).flatMap((method) => {
      const { requestBody: body, responses = {} } = item[method] ?? {};
      const schema = body && 'content' in body ? body.content['application/json'].schema : undefined;
      if (!schema || !('$ref' in schema)) return [];
      const dto = components!.schemas![schema.$ref.split('/').at(-1)!];
      const fields = 'properties' in dto ? Object.entries(dto.properties!) : [];
      const examples = fields.map(([name, field]) => [name, 'example' in field ? field.example : undefined]);
      const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
      return [{ method: method.toUpperCase(), path, success, example: Object.fromEntries(examples) }];
    }),
  );
}
