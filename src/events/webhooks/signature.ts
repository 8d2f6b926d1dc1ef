import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret of a webhook: `whsec_`, and 32 random bytes in base64. */
export function createSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): for each secret `v1,` and the HMAC-SHA256 of
 * `id.timestamp.body` in base64, separated by spaces. The receiver accepts any of them.
 */
export function sign(secrets: string[], id: string, timestampSeconds: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
