import type { RetentionFlow } from '@retention-flow/client';

/** The names of all offers by their ids, archived ones too: graphs name them, old ones above all. */
export async function offerNames(client: RetentionFlow, signal: AbortSignal): Promise<Map<string, { name: string }>> {
  const offers = new Map<string, { name: string }>();
  for (const status of ['active', 'archived'] as const) {
    for await (const { id, name } of client.offers.list({ limit: 500, status }, { signal })) offers.set(id, { name });
  }
  return offers;
}
