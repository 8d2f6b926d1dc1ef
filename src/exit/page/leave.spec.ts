import { returnToIn } from './leave';

const encoded = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const flow = (...allowed_origins: string[]) => ({ allowed_origins, cancellation_url: 'https://acme.example/cancel' });

it.each<[unknown, string[], string | undefined]>([
  ['https://acme.example/account?a=b#c', [], 'https://acme.example/account?a=b#c'],
  ['https://acme.example/account', ['https://acme.example'], 'https://acme.example/account'],
  ['https://app.acme.example/', ['https://app.acme.example'], 'https://app.acme.example/'],
  ['https://app.acme.example/', [], undefined],
  ['https://acme.example/account', ['https://app.acme.example'], undefined],
  ['https://acme.example.evil.example/', [], undefined],
  ['https://acme.example@evil.example/', [], undefined],
  ['http://acme.example/account', [], undefined],
  ['javascript:alert(1)', [], undefined],
  ['//evil.example', [], undefined],
  ['/account', [], undefined],
  [`https://acme.example/${'x'.repeat(2048)}`, [], undefined],
  [['https://acme.example/'], [], undefined],
  [null, [], undefined],
])('A token leads back to %j where %j are allowed: %j', (return_to, allowed, expected) =>
  expect(returnToIn(encoded({ return_to }), flow(...allowed))).toBe(expected),
);

it.each(['', 'x', 'x.%%%.x', encoded(null), encoded(7), `x.${Buffer.from('{').toString('base64url')}.x`])(
  'The token %j leads nowhere',
  (token) => expect(returnToIn(token, flow())).toBeUndefined(),
);
