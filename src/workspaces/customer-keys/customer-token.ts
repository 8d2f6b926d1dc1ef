import { webcrypto } from 'node:crypto';
import { type CryptoKey, errors, type JWTPayload, jwtVerify } from 'jose';
import { isId } from '../../platform/api/ids';
import { Problem } from '../../platform/api/problems/problem';
import type { TokenFault } from '../../platform/api/problems/problem-codes';
import { parseJsonBody } from '../../platform/http/bodies/json-body';
import type { CustomerKey, CustomerKeyAlgorithm } from './customer-key.entity';

const { subtle } = webcrypto;

/** The header `typ` of a customer token (RFC 8725, 3.11): no other JWT of the backend is taken for one. */
const TYPE = 'retention-customer+jwt';
/** The most seconds from `iat` to `exp`. */
const MAX_LIFETIME = 3600;
/** How many seconds the clock of the backend may differ from the database's. */
const CLOCK_TOLERANCE = 60;
/** The most characters of a token. */
export const MAX_TOKEN = 4096;

/** A key in the form that verifies. */
export interface VerifyingKey {
  id: string;
  algorithm: CustomerKeyAlgorithm;
  material: CryptoKey;
}

/** The claims of a verified token about a customer. The signature says who wrote it, not that it has the right form. */
export interface CustomerClaims {
  /** The id of the key that signed the token. */
  key_id: string;
  /** When it was verified. */
  at: Date;
  sub?: unknown;
  email?: unknown;
  attributes?: unknown;
  subscription?: unknown;
  /** The customer's id at the billing system. */
  customer_id?: unknown;
  flow?: unknown;
}

/** The facts that a token is verified against. */
export interface Verifier {
  workspaceId: string;
  time: Date;
  /** The key of the workspace with an id; undefined if it has none. */
  findKey: (id: string) => Promise<VerifyingKey | undefined>;
}

/** Imported once: with the bytes of a key, each verification would take twice as long. */
export async function verifyingKey({ id, algorithm, secret, public_key }: CustomerKey): Promise<VerifyingKey> {
  const material =
    algorithm === 'HS256'
      ? await subtle.importKey('raw', Buffer.from(secret!), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
      : await subtle.importKey('jwk', { ...public_key! }, 'Ed25519', false, ['verify']);
  return { id, algorithm, material };
}

/**
 * The claims of a customer token: a JWT (RFC 7519) that a key of the workspace signed, for this workspace, for an hour
 * at most, and that is valid at the given time. For any other text, what is wrong with it.
 */
export async function verifyCustomerToken(
  token: string,
  { workspaceId, time, findKey }: Verifier,
): Promise<CustomerClaims | TokenFault> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ alg, kid }) => {
        const key = isId(kid) ? await findKey(kid.toLowerCase()) : undefined;
        // The key says which algorithm verifies it, never the token (RFC 8725, 3.1).
        if (key?.algorithm !== alg) throw new errors.JWKSNoMatchingKey();
        return key.material;
      },
      {
        algorithms: ['HS256', 'EdDSA'],
        typ: TYPE,
        audience: workspaceId,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: time,
        clockTolerance: CLOCK_TOLERANCE,
      },
    );
    const fault = faultOfLifetime(payload, time);
    if (fault) return fault;
    const claims = strictPayload(token);
    if (!claims) return 'invalid_claims';
    const { sub, email, attributes, subscription, customer_id, flow } = claims;
    const key_id = protectedHeader.kid!.toLowerCase();
    return { key_id, at: time, sub, email, attributes, subscription, customer_id, flow };
  } catch (error) {
    if (error instanceof errors.JOSEError) return faultOf(error);
    throw error;
  }
}

/** The claims and `typ` are checked after the signature, so faults reveal nothing of an unsigned token. */
function faultOf(error: errors.JOSEError): TokenFault {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return FAULT_BY_CLAIM[error.claim] ?? 'invalid_claims';
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key';
  return error instanceof errors.JWSSignatureVerificationFailed ? 'wrong_signature' : 'malformed';
}

const FAULT_BY_CLAIM: Partial<Record<string, TokenFault>> = {
  typ: 'wrong_type',
  aud: 'wrong_audience',
  nbf: 'not_yet_valid',
};

/** Whether the token was issued by now, and for an hour at most. Comparisons with NaN are false. */
function faultOfLifetime({ iat, exp }: JWTPayload, time: Date): TokenFault | undefined {
  if (!(iat! <= time.getTime() / 1000 + CLOCK_TOLERANCE)) return 'not_yet_valid';
  return exp! > iat! && exp! - iat! <= MAX_LIFETIME ? undefined : 'wrong_lifetime';
}

/** The payload, if it keeps the rules of a JSON body: nothing that could not be stored as signed. */
function strictPayload(token: string): Partial<Record<string, unknown>> | undefined {
  try {
    return parseJsonBody(Buffer.from(token.split('.')[1], 'base64url')) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
