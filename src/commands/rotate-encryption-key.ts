import { rotateEncryptionKey } from '../billing/connections/rotate-encryption-key';
import { ConfigError } from '../settings/config';
import { onRunningDatabase } from './attributed-errors';
import type { Given } from './command';

/** Stores the secrets of connections anew, beside a service that runs with both keys. */
export async function rotateKey({ config, print }: Given): Promise<void> {
  const { encryptionKeys } = config;
  if (encryptionKeys.length !== 2) throw new ConfigError('ENCRYPTION_KEY and PREVIOUS_ENCRYPTION_KEY must both be set');
  const { stored, lost } = await onRunningDatabase(config, (url) => rotateEncryptionKey(url, encryptionKeys));
  print(`${stored} billing connections are stored with ENCRYPTION_KEY now, and ${lost} can't be read with either key`);
}
