import { ApiError, type RetentionFlow } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import type { Catalog } from './catalog';

/** Reads the catalog if it is needed; undefined until it is read, null if there is none now: then ids are typed. */
export function useCatalog(isNeeded: boolean): Catalog | null | undefined {
  const { client } = useSession();
  const { value, error } = useLoading(
    async (signal) => ({ isNeeded, catalog: isNeeded ? await readCatalog(client, signal) : null }),
    [isNeeded],
  );
  if (error !== undefined) return null;
  // Until it is read, the value is the one of before.
  return value?.isNeeded === isNeeded ? value.catalog : undefined;
}

async function readCatalog(client: RetentionFlow, signal: AbortSignal): Promise<Catalog | null> {
  try {
    return await client.billing.catalog({ signal });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
