import type { Audience } from '@retention-flow/client';
import { MAX_AUDIENCES } from '../../../src/flows/graph/graph-limits';
import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';
import { rememberNames } from './audience-names';

/** All audiences, by their names; none until they are read. */
export function useAudiences(): Audience[] {
  const { client } = useSession();
  const audiences = useLoading(async (signal) => {
    const { audiences } = await client.audiences.list({ limit: MAX_AUDIENCES }, { signal });
    rememberNames(audiences);
    return audiences.toSorted((one, other) => one.name.localeCompare(other.name));
  }, []);
  return audiences.value ?? [];
}
