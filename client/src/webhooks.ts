import { bytesOf, fromBase64, hmacKey } from './encoding.ts';
import type { WebhookEvent } from './types.ts';

/** Seconds by which the time of a delivery may differ from now: an older one may be somebody else's copy. */
const TOLERANCE = 300;

/** Headers of the Fetch API, an object such as Node's `request.headers`, or a list of names and values, in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>
  | readonly (readonly [name: string, value: string])[];

export interface VerifyOptions {
  /** Takes tests, too: events that somebody has asked for, of which nothing is true. They have `test: true` or `type: 'test'`. */
  allowTest?: boolean;
}

/** A request that no webhook with this secret sent just now. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * The event in a request to your webhook, if it was signed with a secret of it within the last five minutes (Standard
 * Webhooks 1.0). A test is refused unless you allow it.
 *
 * @param body as it was received, before any parsing
 * @param secrets of the webhook: `whsec_…`; while one replaces another, both
 * @throws WebhookVerificationError for any other request
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { allowTest = false }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // Whatever realm they are of: bytes of a test may be of another.
  if (typeof body !== 'string' && typeof (body as Partial<ArrayBuffer> | undefined)?.byteLength !== 'number') {
    throw new TypeError('The body is not as it was received.');
  }
  const id = valueOf(headers, 'webhook-id');
  const time = valueOf(headers, 'webhook-timestamp');
  const signatures = valueOf(headers, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1000 - Number(time));
  if (!/^\d+$/.test(time) || age > TOLERANCE) {
    throw new WebhookVerificationError('The webhook-timestamp is not within five minutes of now.');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const content = bytesOf(`${id}.${time}.${text}`);
  const keys = await Promise.all([secrets].flat().map((secret) => hmacKey(secretBytes(secret), 'verify')));
  const macs = signatures.flatMap((signature) => macIn(signature) ?? []);
  const isSigned = await Promise.all(
    keys.flatMap((key) => macs.map((mac) => crypto.subtle.verify('HMAC', key, mac, content))),
  );
  if (!isSigned.includes(true)) throw new WebhookVerificationError('No signature is of this body with this secret.');
  const event = JSON.parse(text) as WebhookEvent & { test?: boolean };
  if (!allowTest && (event.type === 'test' || event.test)) {
    throw new WebhookVerificationError('The event is a test: allowTest takes it.');
  }
  return event;
}

function valueOf(headers: WebhookHeaders, name: string): string {
  const value = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : valueIn(headers, name);
  if (typeof value !== 'string') throw new WebhookVerificationError(`The request has no header ${name}.`);
  return value;
}

/** Proxies and gateways have names in their own case, and values in lists. */
function valueIn(headers: object, name: string): unknown {
  const entries = (Array.isArray(headers) ? headers : Object.entries(headers)) as [string, unknown][];
  const [, value] = entries.find(([one]) => one.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(' ') : value;
}

/** `v1,` and base64. Signatures of another form are other versions. */
function macIn(signature: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
  } catch {
    return undefined;
  }
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = /^whsec_([\w+/]+=*)$/.exec(secret)?.[1];
  if (!base64) throw new TypeError('The secret of a webhook begins with whsec_');
  return fromBase64(base64);
}
