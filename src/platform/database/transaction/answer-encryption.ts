import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Both are made from an Idempotency-Key in a workspace (HKDF-SHA256). Neither leads to the other or back to it. */
export interface KeySecrets {
  /** Names the key in the table. */
  hash: Buffer;
  /** Encrypts the answer. It is never stored. */
  encryptionKey: Buffer;
}

export function secretsOf(workspaceId: string, idempotencyKey: string): KeySecrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', idempotencyKey, workspaceId, purpose, 32));
  return { hash: derive('hash of the key'), encryptionKey: derive('encryption of the answer') };
}

/** A nonce, the tag and the encrypted text, in one. */
export function encrypt(text: string, { encryptionKey }: Pick<KeySecrets, 'encryptionKey'>): Buffer {
  // Random, because a key that is used again after 24 hours encrypts another answer.
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, encryptionKey, nonce, { authTagLength: TAG_BYTES });
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Throws if anybody changed the answer. */
export function decrypt(answer: Buffer, { encryptionKey }: Pick<KeySecrets, 'encryptionKey'>): string {
  const textAt = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, encryptionKey, answer.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(answer.subarray(NONCE_BYTES, textAt));
  return Buffer.concat([decipher.update(answer.subarray(textAt)), decipher.final()]).toString();
}
