import fc from 'fast-check';
import { claimsFor, encoded, keyPair, signed, type SigningKey, tokenOf } from '../../../test/support/customer-token';
import type { TokenFault } from '../../platform/api/problems/problem-codes';
import type { CustomerKey } from './customer-key.entity';
import { verifyCustomerToken, verifyingKey } from './customer-token';

const ACME = { id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10' };
const OTHER = { id: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d11' };
const [HMAC_ID, ED_ID] = ['019a9f3c-e2f3-7a14-8b25-3c4d5e6f7081', '019a9f3c-e2f3-7a14-8b25-3c4d5e6f7082'];
const SECRET = `cksec_${'s'.repeat(43)}`;
const PAIR = keyPair();
const HMAC: SigningKey = { id: HMAC_ID, algorithm: 'HS256', key: SECRET };
const ED: SigningKey = { id: ED_ID, algorithm: 'EdDSA', key: PAIR.privateKey };
const STORED = [
  { id: HMAC_ID, algorithm: 'HS256', secret: SECRET, public_key: null },
  { id: ED_ID, algorithm: 'EdDSA', secret: null, public_key: PAIR.public_key },
] as CustomerKey[];

const TIME = 1_800_000_000;
const CLAIMS = claimsFor(ACME, { iat: TIME - 10, exp: TIME + 600 });

async function verify(token: string, time = TIME) {
  const findKey = async (id: string) => {
    const stored = STORED.find((key) => key.id === id);
    return stored && verifyingKey(stored);
  };
  return verifyCustomerToken(token, { workspaceId: ACME.id, time: new Date(time * 1000), findKey });
}
const isGood = async (token: string, time?: number) => typeof (await verify(token, time)) !== 'string';
const claiming = (changes: object, key = HMAC) => tokenOf(key, {}, { ...CLAIMS, ...changes });

describe.each([
  ['HS256', HMAC],
  ['EdDSA', ED],
])('A customer token of %s', (_, key) => {
  it('tells what the backend signed, and with which key', async () => {
    const claims = {
      ...CLAIMS,
      email: 'ada@example.com',
      attributes: { plan: 'pro' },
      subscription: { id: 'sub_1' },
      flow: 'leaving',
      jti: 'extra',
    };
    expect(await verify(tokenOf(key, {}, claims))).toEqual({
      key_id: key.id,
      at: expect.any(Date),
      sub: 'cus_4711',
      email: 'ada@example.com',
      attributes: { plan: 'pro' },
      subscription: { id: 'sub_1' },
      flow: 'leaving',
    });
  });

  it('is refused when any one character of it differs', async () => {
    const token = tokenOf(key, {}, CLAIMS);
    const parts = token.split('.');
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      const [header, claims, signature] = changed.split('.');
      // The last character of base64url has bits that mean nothing.
      const isSame =
        header === parts[0] &&
        claims === parts[1] &&
        Buffer.from(signature ?? '', 'base64url').equals(Buffer.from(parts[2], 'base64url'));
      if (!isSame) expect([at, await isGood(changed)]).toEqual([at, false]);
    }
  });

  it('is good until a minute after exp, for clocks that differ', async () => {
    const token = tokenOf(key, {}, CLAIMS);
    expect(await Promise.all([TIME, TIME + 659, TIME + 660].map((time) => isGood(token, time)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('A customer token', () => {
  it.each<[string, object]>([
    ['for an hour', { iat: TIME, exp: TIME + 3600 }],
    ['issued a minute ahead', { iat: TIME + 60, exp: TIME + 120 }],
    ['with fractions of seconds', { iat: TIME - 0.5, exp: TIME + 600.25 }],
    ['for several audiences, this workspace among them', { aud: [OTHER.id, ACME.id] }],
  ])('is good %s', async (_, changes) => {
    expect(await isGood(claiming(changes))).toBe(true);
  });

  it.each<[string, object, TokenFault]>([
    ['for another workspace', { aud: OTHER.id }, 'wrong_audience'],
    ['for no audience', { aud: undefined }, 'wrong_audience'],
    ['for an audience that is no text', { aud: { [ACME.id]: true } }, 'wrong_audience'],
    ['without sub', { sub: undefined }, 'invalid_claims'],
    ['without iat', { iat: undefined }, 'invalid_claims'],
    ['without exp', { exp: undefined }, 'invalid_claims'],
    ['with an exp that is text', { exp: String(TIME + 600) }, 'invalid_claims'],
    ['with an iat that is null', { iat: null }, 'invalid_claims'],
    ['for an hour and a second', { iat: TIME, exp: TIME + 3601 }, 'wrong_lifetime'],
    ['for years, in milliseconds', { iat: TIME, exp: (TIME + 600) * 1000 }, 'wrong_lifetime'],
    ['issued more than a minute ahead', { iat: TIME + 61, exp: TIME + 600 }, 'not_yet_valid'],
    ['that ends before it begins', { iat: TIME + 30, exp: TIME + 20 }, 'wrong_lifetime'],
    ['that is not good yet', { nbf: TIME + 61 }, 'not_yet_valid'],
    ['that has expired', { iat: TIME - 700, exp: TIME - 60 }, 'expired'],
  ])('is refused %s', async (_, changes, fault) => {
    expect(await verify(claiming(changes))).toBe(fault);
  });

  it.each<[string, string]>([
    ['never ends', `{"aud":"${ACME.id}","sub":"a","iat":${TIME},"exp":1e999}`],
    ['lasts from infinity to infinity', `{"aud":"${ACME.id}","sub":"a","iat":-1e999,"exp":1e999}`],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['is no JSON', '{"aud":'],
    ['is empty', ''],
  ])('is refused when what it claims %s', async (_, claims) => {
    const header = encoded({ alg: 'HS256', kid: HMAC_ID, typ: 'retention-customer+jwt' });
    expect(await isGood(signed(`${header}.${encoded(claims)}`, SECRET))).toBe(false);
  });

  it.each<[string, string]>([
    ['a NUL in a name', String.raw`{"a\u0000b":1}`],
    ['half a character', String.raw`{"a":"\ud800"}`],
    ['a reserved name', '{"__proto__":{"plan":"pro"}}'],
    ['a name twice', '{"plan":"pro","plan":"free"}'],
    ['a number that would be rounded', '{"account":12345678901234567890}'],
  ])('is refused when an attribute is %s, which could not be stored as signed', async (_, attributes) => {
    const header = encoded({ alg: 'HS256', kid: HMAC_ID, typ: 'retention-customer+jwt' });
    const claims = JSON.stringify(CLAIMS).replace(/}$/, `,"attributes":${attributes}}`);
    const token = signed(`${header}.${encoded(claims)}`, SECRET);
    expect(await verify(token)).toBe('invalid_claims');
  });

  const asSecret = (key: string): SigningKey => ({ id: ED_ID, algorithm: 'HS256', key });
  it.each<[string, string, TokenFault]>([
    ['alg none and no signature', tokenOf(HMAC, { alg: 'none' }, CLAIMS).replace(/[^.]+$/, ''), 'malformed'],
    ['alg none and a good signature', tokenOf(HMAC, { alg: 'none' }, CLAIMS), 'malformed'],
    ['HS256 and the public key as the secret', tokenOf(asSecret(PAIR.public_key.x), {}, CLAIMS), 'unknown_key'],
    [
      'HS256 and the public JWK as the secret',
      tokenOf(asSecret(JSON.stringify(PAIR.public_key)), {}, CLAIMS),
      'unknown_key',
    ],
    ['HS256 and no secret', tokenOf(asSecret(''), {}, CLAIMS), 'unknown_key'],
    ['EdDSA and the id of a secret', tokenOf({ ...ED, id: HMAC_ID }, {}, CLAIMS), 'unknown_key'],
    ['the secret and the id of another key', tokenOf({ ...HMAC, id: ED_ID }, {}, CLAIMS), 'unknown_key'],
    ['EdDSA as its alg, signed with the secret', tokenOf(HMAC, { alg: 'EdDSA' }, CLAIMS), 'unknown_key'],
    ['HS512 as its alg', tokenOf(HMAC, { alg: 'HS512' }, CLAIMS), 'malformed'],
    ['another secret', tokenOf({ ...HMAC, key: `${SECRET}x` }, {}, CLAIMS), 'wrong_signature'],
    ['another private key', tokenOf({ ...ED, key: keyPair().privateKey }, {}, CLAIMS), 'wrong_signature'],
    ['a key that nobody has', tokenOf({ ...HMAC, id: OTHER.id }, {}, CLAIMS), 'unknown_key'],
    ['no kid', tokenOf(HMAC, { kid: undefined }, CLAIMS), 'unknown_key'],
    ['a kid that is no id', tokenOf(HMAC, { kid: "' OR true --" }, CLAIMS), 'unknown_key'],
    ['a kid that is no text', tokenOf(HMAC, { kid: [HMAC_ID] }, CLAIMS), 'unknown_key'],
    ['a key of its own', tokenOf(ED, { kid: undefined, jwk: PAIR.public_key }, CLAIMS), 'unknown_key'],
    ['typ JWT', tokenOf(HMAC, { typ: 'JWT' }, CLAIMS), 'wrong_type'],
    ['no typ', tokenOf(HMAC, { typ: undefined }, CLAIMS), 'wrong_type'],
    ['an extension that is critical', tokenOf(HMAC, { crit: ['x'], x: 1 }, CLAIMS), 'malformed'],
    ['a payload that is not encoded', tokenOf(HMAC, { crit: ['b64'], b64: false }, CLAIMS), 'malformed'],
  ])('is refused with %s', async (_, token, fault) => {
    expect(await verify(token)).toBe(fault);
  });

  it('says nothing of what it claims when its signature is wrong', async () => {
    const bad = { ...HMAC, key: `${SECRET}x` };
    for (const claims of [{ exp: TIME - 600 }, { aud: OTHER.id }, { iat: TIME + 600 }]) {
      expect(await verify(claiming(claims, bad))).toBe('wrong_signature');
    }
    expect(await verify(tokenOf(bad, { typ: 'JWT' }, CLAIMS))).toBe('wrong_signature');
  });

  it('is refused without failing, whatever it is', async () => {
    const json = fc.json({ maxDepth: 2 }).map(encoded);
    const part = fc.oneof(json, fc.base64String(), fc.string());
    const any = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    );
    const header = fc.dictionary(fc.constantFrom('alg', 'kid', 'typ', 'crit', 'b64', 'jwk'), fc.jsonValue());
    const wrongHeader = fc
      .tuple(header, json)
      .map(([fields, claims]) => signed(`${encoded(fields)}.${claims}`, SECRET));
    const wrongClaims = json.map((claims) => {
      const head = encoded({ alg: 'HS256', kid: HMAC_ID, typ: 'retention-customer+jwt' });
      return signed(`${head}.${claims}`, SECRET);
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(any, wrongHeader, wrongClaims), async (token) => {
        expect(await isGood(token)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
