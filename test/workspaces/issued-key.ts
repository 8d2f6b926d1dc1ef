import type { Client } from '../support/client';
import type { Service, Tenant } from '../support/service';

export const API_KEYS = '/api/v1/public/api-keys';

export interface IssuedKey {
  id: string;
  key: string;
  client: Client;
}

/** An API key in a list. */
export interface ListedKey {
  id: string;
  name: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** Issues a key of the workspace. */
export async function issueKey(service: Service, { client }: Tenant, fields: object = {}): Promise<IssuedKey> {
  const { id, key } = (await client.post(API_KEYS, { name: 'Spare', ...fields })).body;
  return { id, key, client: service.client.with(key) };
}

export async function listKeys({ client }: Tenant): Promise<ListedKey[]> {
  return (await client.get(API_KEYS)).body.api_keys;
}

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
