import type { BillingConnection } from '../../billing-jobs/billing-connection.entity';
import { Keyring } from './keyring';
import { withClient } from '../../platform/database/connection/client';

/**
 * Stores the secrets of all connections anew with the first of the keys. Returns how many are stored with it now, and
 * how many no key can read.
 */
export function rotateEncryptionKey(url: string, keys: Buffer[]): Promise<{ stored: number; lost: number }> {
  const keyring = new Keyring(keys);
  return withClient({ connectionString: url }, async (client) => {
    const result = { stored: 0, lost: 0 };
    const { rows } = await client.query<BillingConnection>('SELECT * FROM billing_connections');
    for (const { workspace_id, api_key, webhook_secret } of rows) {
      const anew = (column: string, stored: Buffer) => {
        const secret = keyring.decrypt(workspace_id, column, stored);
        return secret === undefined ? undefined : keyring.encrypt(workspace_id, column, secret);
      };
      const key = anew('api_key', api_key);
      const values = [
        key,
        webhook_secret && anew('webhook_secret', webhook_secret),
        workspace_id,
        api_key,
        webhook_secret,
      ];
      // Unless its owner has just set another one.
      if (key) {
        await client.query(
          `UPDATE billing_connections SET api_key = $1, webhook_secret = $2
            WHERE workspace_id = $3 AND api_key = $4 AND webhook_secret IS NOT DISTINCT FROM $5`,
          values,
        );
      }
      result[key ? 'stored' : 'lost']++;
    }
    return result;
  });
}
