import { expectProblem } from '../../support/problem';
import { serviceForAll, workspaceForEach } from '../../support/service';
import { expectRefusal } from './refusal';

const OFFERS = '/api/v1/public/offers';
const OWN = '/api/v1/public/workspace';
const INIT = '/api/v1/runtime/session/init';
const JSON_TYPE = { 'content-type': 'application/json' };

const offer = { name: 'Half price', offer_type: 'custom' };

/** Nested lists. */
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('A JSON body', () => {
  const service = serviceForAll();
  const acme = workspaceForEach(service);

  /** Sends the body as it is. */
  const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    acme.client.send('POST', OFFERS, { headers, body });

  it.each([
    ['broken', '{"name":'],
    ['cut off', '{"name":"A","offer_type":"custom"'],
    ['followed by another value', '{"name":"A","offer_type":"custom"}{}'],
    ['a comment', '{"name":"A",/**/"offer_type":"custom"}'],
    ['a trailing comma', '{"name":"A","offer_type":"custom",}'],
    ['single quotes', "{'name':'A','offer_type':'custom'}"],
    ['NaN', '{"name":NaN}'],
    ['white space', ' \r\n\t'],
    ['XML', '<xml/>'],
  ])('is refused with 400 when it is not JSON: %s', async (_, body) => {
    await expectRefusal(acme, await post(body), 400, 'invalid_request', '');
  });

  it.each(['[]', `[${JSON.stringify(offer)}]`, '"text"', '1', '0', '-0', 'true', 'false', 'null', '{}'])(
    'is refused with 400 when it is not an object with fields: %s',
    async (body) => {
      await expectRefusal(acme, await post(body), 400, 'invalid_request');
      expectProblem(await service.client.send('POST', INIT, { headers: JSON_TYPE, body }));
      expect((await acme.client.send('PUT', OWN, { headers: JSON_TYPE, body })).status).toBe(400);
    },
  );

  it.each([
    ['NUL in a text', '{"name":"a\\u0000b"}', '/name'],
    ['NUL alone', '{"name":"\\u0000"}', '/name'],
    ['NUL in a key', '{"na\\u0000me":"a"}', ''],
    ['half a surrogate pair in a text', '{"name":"a\\ud83d"}', '/name'],
    ['a surrogate pair the wrong way round', '{"name":"\\udcb8\\ud83d"}', '/name'],
    ['half a surrogate pair in a key', '{"\\udcb8":"a"}', ''],
    ['NUL deep inside', '{"a":[{"b/c~d":["\\u0000"]}]}', '/a/0/b~1c~0d/0'],
    ['half a surrogate pair in a key deep inside', '{"a":[{"\\ud83d":1}]}', '/a/0'],
  ])('is refused with 400 when Postgres could not store it unchanged: %s', async (_, body, pointer) => {
    await expectRefusal(acme, await post(body), 400, 'invalid_request', pointer);
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['a byte that never occurs in UTF-8', [0xff]],
    ['a truncated character', [0xf0, 0x9f, 0x92]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0xbd]],
    ['a code point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ])('is refused with 400 when it is not UTF-8: %s', async (_, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"offer_type":"custom","name":"a'),
      Buffer.from(bytes),
      Buffer.from('"}'),
    ]);
    await expectRefusal(acme, await post(new Uint8Array(body)), 400, 'invalid_request', '');
  });

  it.each([
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['1 and 400 zeros', `1${'0'.repeat(400)}`],
  ])('is refused with 400 for a number out of range: %s', async (_, number) => {
    await expectRefusal(acme, await post(`{"name":${number}}`), 400, 'invalid_request', '/name');
    await expectRefusal(acme, await post(`{"deep":[[${number}]]}`), 400, 'invalid_request', '/deep/0/0');
  });

  it('is accepted up to 32 levels deep, and refused with 400 beyond', async () => {
    const { status, body } = await post(nested(32));
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).not.toMatch(/deep/);
    await expectRefusal(acme, await post(nested(33)), 400, 'invalid_request', '/0'.repeat(32));
    await expectRefusal(acme, await post(`{"a":${nested(32)}}`), 400, 'invalid_request', `/a${'/0'.repeat(31)}`);
    await expectRefusal(acme, await post(nested(4000)), 400, 'invalid_request', '/0'.repeat(32));
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
  ])('is refused with 400 for more than %s', async (_, body, pointer) => {
    await expectRefusal(acme, await post(body), 400, 'invalid_request', pointer);
  });

  it('gets a response under 1000 characters even when a key has 250,000', async () => {
    const { status, body } = await post(JSON.stringify({ ...offer, ['/'.repeat(250_000)]: 1 }));
    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(1000);
  });

  it.each([
    ['9007199254740993', "can't be stored exactly: it would become 9007199254740992"],
    ['0.1000000000000000055', "can't be stored exactly: it would become 0.1"],
    ['1e-400', "can't be stored exactly: it would become 0"],
  ])('is refused with 400 for a number that JavaScript cannot hold exactly: %s', async (number, message) => {
    const response = await post(`{"name":"A","deep":[{"a/b":${number}}]}`);
    await expectRefusal(acme, response, 400, 'invalid_request', '/deep/0/a~1b');
    expect(response.body.errors[0].message).toBe(message);
  });

  it('is refused with 400 for a duplicate key, escaped or not', async () => {
    await expectRefusal(
      acme,
      await post('{"name":"A","name":"B","offer_type":"custom"}'),
      400,
      'invalid_request',
      '/name',
    );
    await expectRefusal(acme, await post('{"a":[0,{"b":1,"\\u0062":1}]}'), 400, 'invalid_request', '/a/1/b');
    const body = '{"flow_slug":"x","customer":{"id":"y","attributes":{"plan":1,"plan":1}}}';
    const init = await service.client.send('POST', INIT, { headers: JSON_TYPE, body });
    expect([init.status, init.body.errors[0].pointer]).toEqual([400, '/customer/attributes/plan']);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '\\u005f_proto__'])(
    'is refused with 400 for a key that JavaScript objects inherit: %s',
    async (key) => {
      for (const value of ['null', '"x"', '{"admin":true}', '{"prototype":{"admin":true}}']) {
        await expectRefusal(
          acme,
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
});
