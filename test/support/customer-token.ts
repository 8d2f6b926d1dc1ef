import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Answer, Client } from './client';

export const CUSTOMER_KEYS = '/api/v1/public/customer-keys';

/** A key of a backend, as it signs. A secret signs with HMAC, whatever the header says. */
export interface SigningKey {
  id: string;
  algorithm: string;
  key: string | KeyObject;
}

/** A JWT in the compact form (RFC 7515, 7.1), made without a library. `header` and `claims` replace what is usual. */
export function tokenOf(key: SigningKey, header: object, claims: object): string {
  const usual = { alg: key.algorithm, kid: key.id, typ: 'retention-customer+jwt' };
  return signed(`${encoded({ ...usual, ...header })}.${encoded(claims)}`, key.key);
}

/** The first two parts of a token, and their signature. */
export function signed(content: string, key: string | KeyObject): string {
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(content).digest()
      : sign(null, Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

export function encoded(value: object | string): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** Claims of a token that is good now, for ten minutes. */
export function claimsFor(workspace: { id: string }, changes: object = {}): object {
  const iat = Math.floor(Date.now() / 1000);
  return { aud: workspace.id, sub: 'cus_4711', iat, exp: iat + 600, ...changes };
}

/** An Ed25519 pair: the private key signs, the public one is a JWK. */
export function keyPair(): { privateKey: KeyObject; public_key: { kty: string; crv: string; x: string } } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, public_key: publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string } };
}

/** Creates a key of HS256. */
export async function secretKey(client: Client): Promise<SigningKey> {
  const { body } = await client.post(CUSTOMER_KEYS, { name: 'Account pages', algorithm: 'HS256' });
  return { id: body.id, algorithm: 'HS256', key: body.secret };
}

/** Creates a key of EdDSA. */
export async function ownKey(client: Client): Promise<SigningKey> {
  const { privateKey, public_key } = keyPair();
  const { body }: Answer = await client.post(CUSTOMER_KEYS, { name: 'Account pages', algorithm: 'EdDSA', public_key });
  return { id: body.id, algorithm: 'EdDSA', key: privateKey };
}
