import type { CustomerKey } from '@retention-flow/client';

type PublicKey = NonNullable<CustomerKey['public_key']>;

/** The public part of a JWK. Its other members stay here, the private one above all. */
export function publicKeyIn(text: string): PublicKey {
  let jwk: Partial<PublicKey> | null;
  try {
    jwk = JSON.parse(text) as typeof jwk;
  } catch {
    throw new Error('The public key is not JSON.');
  }
  // The service says what is missing.
  const { kty, crv, x } = jwk ?? {};
  return { kty, crv, x } as PublicKey;
}
