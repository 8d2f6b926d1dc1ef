import { bytesOf, fromBase64, hmacKey } from './encoding.ts';
import type { WebhookEvent } from './types.ts';

/** Seconds by which the time of a delivery may differ from now: an older one may be somebody else's copy. */
const TOLERANCE = 300;

/** Of the Fetch API, or of Node's `request.headers`. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** A request that no webhook with this secret sent just now. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * The event in a request to your webhook, if it was signed with the secret within the last five minutes (Standard
 * Webhooks 1.0).
 *
 * @param body as it was received, before any parsing
 * @param secret of the webhook: `whsec_…`
 * @throws WebhookVerificationError for any other request
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
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
  const key = await hmacKey(secretBytes(secret), 'verify');
  const isSigned = await Promise.all(
    signatures.map(async (signature) => {
      const mac = macIn(signature);
      return mac !== undefined && crypto.subtle.verify('HMAC', key, mac, content);
    }),
  );
  if (!isSigned.includes(true)) throw new WebhookVerificationError('No signature is of this body with this secret.');
  return JSON.parse(text) as WebhookEvent;
}

function valueOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookVerificationError(`The request has no header ${name}.`);
  return value;
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
