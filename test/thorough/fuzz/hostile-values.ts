import type { Bytes } from './raw-http';

const words = (text: string): string[] => text.trim().split(/\s+/);
const nested = (open: string, inside: string, close: string, levels: number): string =>
  open.repeat(levels) + inside + close.repeat(levels);

/** Segments of a path, and values of a parameter. */
export const TEXTS: Bytes[] = [
  '',
  '\0',
  '\x7f',
  '\xff',
  ' ',
  ...words("% %zz %ff %c3%28 %00 %20 %ed%a0%80 %F0%9F%92%B8 # ? & .. %2e%2e%2f ..%2fx ';-- $1"),
  ...words('null undefined __proto__ init 0 1e400 9007199254740993 {{foreign_key_id}}'),
  ...words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'),
  ...words('0000-01-01 2026-02-30 2026-11-01T00:00:00 9999-12-31T23:59:59-23:59 +010000-01-01T00:00:00Z'),
  'x'.repeat(201),
  '%F0%9F%92%B8'.repeat(200),
  'x'.repeat(5000),
  'x'.repeat(20_000),
];

/** Parameters of no operation. */
export const PARAMETERS: Bytes[] = words(
  'colour=red = & ==& limit[]=1 %zz=1 %00=1 \xff=1 toString Limit=1 __proto__=1 constructor=1 __proto__[limit]=1 %5f_proto__=1',
);

export const TOKENS: Bytes[] = ['{{read_key}}', '{{revoked_key}}', '{{key}}', '{{operator_key}}', 'x', '\xff', ''];

export const MEDIA_TYPES: Bytes[] = [
  ...words('text/plain application/x-www-form-urlencoded json text/json \xff application/json; APPLICATION/JSON'),
  '',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json, text/plain',
];

export const HEADERS: [name: string, value: Bytes][] = [
  ...['', 'short', 'x'.repeat(16), 'x'.repeat(256), '\xff'.repeat(20), `a\t${'b'.repeat(20)}`].map(
    (key): [string, Bytes] => ['Idempotency-Key', key],
  ),
  ...['null', '', 'https://shop.example', '\xff'].map((origin): [string, Bytes] => ['Origin', origin]),
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

/** JSON values, some of them malformed, in place of a value. */
export const JSON_VALUES: string[] = [
  '',
  ...words('null true 0 -1 1.5 -0 1e2 2147483648 9007199254740993 -9223372036854775808 NaN 1e308 1e400 -1e400'),
  ...words('9999999999.999 0.1000000000000000055 [] {} [null] [[]] [{}] {"length":1e9} {"":1} {"a":1,"a":2}'),
  ...words('"" "\\u0000" "a\\u0000b" "\\ud800" "\\udc00\\ud800" "\\uffff" "__proto__" "%00" "*" "#12345" "a@b"'),
  ...words('{"__proto__":{"admin":true}} {"constructor":{"prototype":{}}} {"toString":1} {"id":{}}'),
  ...words('"javascript:alert(1)" "https://" "http://[::1" "https://a:b@c.example"'),
  ...words('"0000-01-01T00:00:00Z" "9999-12-31T23:59:59-23:59" "2027-02-30T00:00:00Z" "2000-01-01T00:00:00Z"'),
  ...words('"00000000-0000-0000-0000-000000000000" "019A9F3C-8B44-7F10-9A4E-5C6D7E8F9A0B" "{{archived_offer}}"'),
  ...words('"{{foreign_offer}}" ["{{foreign_offer}}"] "{{foreign_flow}}" "{{foreign_slug}}" "{{draft_slug}}"'),
  '" "',
  ...[200, 201, 255, 2049, 5001, 20_000].map((length) => `"${'x'.repeat(length)}"`),
  ...[201, 5001].map((length) => `"${'💸'.repeat(length)}"`),
  ...[32, 33, 5000].flatMap((levels) => [nested('[', '', ']', levels), nested('{"a":', '1', '}', levels)]),
  ...[101, 2000].map((length) => JSON.stringify(Array.from({ length }, (_, n) => `https://site-${n}.example`))),
  // Many values: nodes, options and fields of all kinds.
  ...['{}', '0', '{"type":"survey","config":{"options":[{},{}]}}', '[{"a":[]}]'].map(
    (item) => `[${`${item},`.repeat(400)}0]`,
  ),
  `{"a":[${'{"b":[[]]},'.repeat(1000)}0]}`,
  `[${'0,'.repeat(20_000)}0]`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`key${number}`, number]))),
];

/** Names of fields that no request has. */
export const UNKNOWN_FIELDS = [
  ...words('__proto__ constructor prototype toString then id workspace_id status created_at'),
  '',
  'a\0',
  '\ud800',
];
