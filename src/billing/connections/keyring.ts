import { createHash, hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../../platform/database/transaction/answer-encryption';

const NAME_BYTES = 8;

/**
 * Encrypts the secrets of connections (AES-256-GCM). What is stored begins with the name of the ENCRYPTION_KEY, so that
 * another one can follow. Each secret has a key of its own, made from that one: stored in another workspace or column,
 * it can't be read.
 */
export class Keyring {
  private readonly keys: Map<string, Buffer>;

  /** @param keys the first one encrypts, all of them decrypt */
  constructor(private readonly all: Buffer[]) {
    this.keys = new Map(all.map((key) => [nameOf(key).toString('hex'), key]));
  }

  /** Undefined without a key. */
  encrypt(workspaceId: string, column: string, secret: string): Buffer | undefined {
    const key = this.all.at(0);
    return key && Buffer.concat([nameOf(key), encrypt(secret, { encryptionKey: keyOf(key, workspaceId, column) })]);
  }

  /** Undefined if its key is lost, or if it is damaged. */
  decrypt(workspaceId: string, column: string, stored: Buffer): string | undefined {
    const key = this.keys.get(stored.subarray(0, NAME_BYTES).toString('hex'));
    if (!key) return undefined;
    try {
      return decrypt(stored.subarray(NAME_BYTES), { encryptionKey: keyOf(key, workspaceId, column) });
    } catch {
      return undefined;
    }
  }
}

/** It reveals nothing of the key. */
function nameOf(key: Buffer): Buffer {
  return createHash('sha256').update('name of the key').update(key).digest().subarray(0, NAME_BYTES);
}

function keyOf(key: Buffer, workspaceId: string, column: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, workspaceId, `billing connection: ${column}`, 32));
}
