import { useSession } from '../../shell/session';
import { useLoading } from '../../ui/loading';
import { NONE_SEEN, type Seen } from './model/condition-values';

/** What customers of the newest sessions had; nothing until it is known. */
export function useSeen(): Seen {
  const { client } = useSession();
  const seen = useLoading(async (signal) => {
    const { attributes, facts } = await client.workspace.attributes({ signal });
    const mapOf = (seen: typeof attributes | typeof facts) => new Map(seen.map(({ name, values }) => [name, values]));
    return { attributes: mapOf(attributes), facts: mapOf(facts) };
  }, []);
  return seen.value ?? NONE_SEEN;
}
