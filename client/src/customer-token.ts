import { bytesOf, hmacKey, toBase64Url } from './encoding.ts';
import type { Customer, Subscription } from './types.ts';

/** The most seconds that the service lets a token live. */
const LONGEST_LIFE = 3600;

/** What branches can go by, where the service can ask no billing system. */
interface ClaimedFacts {
  /** The name of the product. */
  plan?: string;
  /** The date on which the subscription began, such as 2026-01-31. */
  since?: string;
  /** Such as the number of seats. */
  quantity?: number;
}

/** What a token says. */
export interface CustomerClaims extends Pick<Customer, 'email' | 'attributes'> {
  /** Your id of the customer, 1 to 200 characters. */
  sub: string;
  /** What the customer pays, and for what. The `id` is enough. */
  subscription?: (Subscription | Pick<Subscription, 'id'>) & ClaimedFacts;
  /** The id of the customer in your billing system: at Stripe `cus_…`. */
  billingCustomerId?: string;
  /** The slug of the only flow that the token is good for. Any flow of the workspace unless told. */
  flow?: string;
  /** Where a customer goes who stays, on the page `/leave/:slug`: https, of an origin that the workspace allows. */
  returnTo?: string;
  /** The id of the workspace: `(await rf.workspace.get()).id`. */
  workspaceId: string;
  /** Seconds until the token expires, 1 to 3600. An hour unless told. */
  expiresIn?: number;
}

/** A customer key with the algorithm HS256, as `rf.customerKeys.create` answered it. */
export interface CustomerSecret {
  id: string;
  secret: string;
}

/**
 * A token that says who the customer is, for `customer_token` of a start. Make it on your server: the secret stays
 * there.
 */
export async function signCustomerToken(
  {
    sub,
    email,
    attributes,
    subscription,
    billingCustomerId,
    flow,
    returnTo,
    workspaceId,
    expiresIn = LONGEST_LIFE,
  }: CustomerClaims,
  { id, secret }: CustomerSecret,
): Promise<string> {
  if (!(expiresIn >= 1 && expiresIn <= LONGEST_LIFE)) {
    throw new RangeError(`expiresIn must be 1 to ${LONGEST_LIFE} seconds.`);
  }
  if (typeof secret !== 'string') throw new TypeError('The key has no secret.');
  const iat = Math.floor(Date.now() / 1000);
  const header = { alg: 'HS256', kid: id, typ: 'retention-customer+jwt' };
  const claims = {
    aud: workspaceId,
    sub,
    iat,
    exp: iat + Math.floor(expiresIn),
    email,
    attributes,
    subscription,
    customer_id: billingCustomerId,
    flow,
    return_to: returnTo,
  };
  const content = `${encoded(header)}.${encoded(claims)}`;
  const key = await hmacKey(bytesOf(secret), 'sign');
  return `${content}.${toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(content))))}`;
}

function encoded(part: object): string {
  return toBase64Url(bytesOf(JSON.stringify(part)));
}
