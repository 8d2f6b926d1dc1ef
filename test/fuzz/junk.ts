import type { Bytes } from './damage';

/** Parts of a path, and values of a parameter, that mean nothing, or too much. */
export const JUNK: Bytes[] = [
  [
    '',
    '%',
    '%zz',
    '%ff',
    '%c3%28',
    '%00',
    '\0',
    '\x7f',
    '\xff',
    ' ',
    '%20',
    '#',
    '?',
    '&',
    '..',
    '%2e%2e%2f',
    '..%2fx',
  ],
  [
    '%ed%a0%80',
    '%F0%9F%92%B8',
    'null',
    'undefined',
    '__proto__',
    'init',
    "';--",
    '$1',
    '0',
    '1e400',
    '9007199254740993',
  ],
  ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '{{foreign_key_id}}'],
  ['0000-01-01', '9999-12-31T23:59:59-23:59', '2026-02-30', '+010000-01-01T00:00:00Z', '2026-11-01T00:00:00'],
  ['x'.repeat(201), '%F0%9F%92%B8'.repeat(200), 'x'.repeat(5000), 'x'.repeat(20_000)],
].flat();

/** Parameters that no operation has. */
export const QUERIES: Bytes[] = [
  ['colour=red', '=', '&', '==&', 'limit[]=1', '%zz=1', '%00=1', '\xff=1', 'toString', 'Limit=1'],
  ['__proto__=1', 'constructor=1', '__proto__[limit]=1', '%5f_proto__=1'],
].flat();

export const TOKENS = ['{{read_key}}', '{{revoked_key}}', '{{key}}', '{{operator_key}}', 'x', '\xff', ''];

export const TYPES = [
  [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '',
    'text/json',
    '\xff',
  ],
  ['application/json; charset=utf-16', 'application/json;', 'APPLICATION/JSON', 'application/json, text/plain'],
].flat();

export const HEADERS: [name: string, value: Bytes][] = [
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'short'],
  ['Idempotency-Key', 'x'.repeat(16)],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', '\xff'.repeat(20)],
  ['Idempotency-Key', `a\t${'b'.repeat(20)}`],
  ['Origin', 'null'],
  ['Origin', ''],
  ['Origin', 'https://shop.example'],
  ['Origin', '\xff'],
  ['Host', 'twice.example'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'text/plain'],
  ['Expect', 'wonders'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['__proto__', '1'],
  ['X-Large', 'x'.repeat(20_000)],
  ['X-Nul', '\0'],
  ['X Space', '1'],
  ['', '1'],
];

/** JSON, or what looks like it, in place of a value. */
export const WRONG: string[] = [
  ['null', 'true', '0', '-1', '1.5', '-0', '1e2', '2147483648', '9007199254740993', '-9223372036854775808', 'NaN', ''],
  ['1e308', '1e400', '-1e400', '9999999999.999', '[]', '{}', '[null]', '[[]]', '[{}]', '{"length":1e9}', '{"":1}'],
  ['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uffff"', '"__proto__"', '"%00"'],
  ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}', '{"toString":1}', '{"id":{}}'],
  ['"javascript:alert(1)"', '"https://"', '"http://[::1"', '"https://a:b@c.example"', '"a@b"', '"*"', '"#12345"'],
  ['"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:59-23:59"', '"2027-02-30T00:00:00Z"', '"2000-01-01T00:00:00Z"'],
  ['"00000000-0000-0000-0000-000000000000"', '"019A9F3C-8B44-7F10-9A4E-5C6D7E8F9A0B"', '"{{archived_offer}}"'],
  ['"{{foreign_offer}}"', '["{{foreign_offer}}"]', '"{{foreign_flow}}"', '"{{foreign_slug}}"', '"{{draft_slug}}"'],
  [200, 201, 255, 2049, 5001, 20_000].map((length) => JSON.stringify('x'.repeat(length))),
  [201, 5001].map((length) => JSON.stringify('💸'.repeat(length))),
  [32, 33, 5000].flatMap((levels) => [nested('[', '', ']', levels), nested('{"a":', '1', '}', levels)]),
  [101, 2000].map((length) => JSON.stringify(Array.from({ length }, (_, n) => `https://site-${n}.example`))),
  // Large, and as deep as a body may be: nodes, options and fields of all kinds.
  ['{}', '0', '{"type":"survey","config":{"options":[{},{}]}}', '[{"a":[]}]'].map(
    (item) => `[${`${item},`.repeat(400)}0]`,
  ),
  [`{"a":[${'{"b":[[]]},'.repeat(1000)}0]}`, `[${'0,'.repeat(20_000)}0]`, '{"a":1,"a":2}', '0.1000000000000000055'],
  [JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`key${number}`, number])))],
].flat();

/** Names of fields that no request has. */
export const UNKNOWN_FIELDS = [
  ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'a\0', '\ud800', ''],
  ['id', 'workspace_id', 'status', 'created_at'],
].flat();

function nested(open: string, inside: string, close: string, levels: number): string {
  return open.repeat(levels) + inside + close.repeat(levels);
}
