import { useSession } from '../shell/session';
import { useLoading } from '../ui/loading';

/** The workspace as it is now, which the menu shows from then on, too. */
export function useWorkspace() {
  const { client, changed } = useSession();
  return useLoading(async (signal) => {
    const workspace = await client.workspace.get({ signal });
    changed(workspace);
    return workspace;
  }, []);
}
