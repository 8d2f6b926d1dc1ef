import { useSession } from '../shell/session';
import { useLoading } from './loading';

/** The names of all flows by their ids; undefined until they are known. */
export function useFlowNames(): Map<string, string> | undefined {
  const { client } = useSession();
  const flows = useLoading(async (signal) => {
    const names = new Map<string, string>();
    for await (const { id, name } of client.flows.list({ limit: 500 }, { signal })) names.set(id, name);
    return names;
  }, []);
  return flows.value;
}
