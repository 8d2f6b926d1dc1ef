import { ApiError } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import type { Catalog } from './catalog';

/** Reads the catalog if it is needed; undefined until it is read, and if there is none now. */
export function useCatalog(isNeeded: boolean): Catalog | undefined {
  const { client } = useSession();
  const { value } = useLoading(
    async (signal) => {
      if (!isNeeded) return undefined;
      try {
        return await client.billing.catalog({ signal });
      } catch (error) {
        if (error instanceof ApiError) return undefined;
        throw error;
      }
    },
    [isNeeded],
  );
  return value;
}
