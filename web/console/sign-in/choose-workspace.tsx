import type { Me } from '@retention-flow/client';
import { useAction } from '../ui/action';
import { Problem } from '../ui/problem';
import { Entrance } from './entrance';

interface ChooseWorkspaceProps {
  workspaces: Me['workspaces'];
  /** Why one has to choose again. */
  notice: string | undefined;
  onChoose: (id: string) => Promise<void>;
  onSignOut: () => Promise<void>;
}

/** Where a person of several workspaces says which one to open. */
export function ChooseWorkspace({ workspaces, notice, onChoose, onSignOut }: ChooseWorkspaceProps) {
  const choose = useAction(onChoose);
  const signOut = useAction(onSignOut);
  const error = choose.error ?? signOut.error;
  return (
    <Entrance title="Choose a workspace">
      {notice && (
        <p class="notice warning" role="alert">
          {notice}
        </p>
      )}
      <ul class="workspaces" aria-label="Your workspaces">
        {workspaces.map(({ id, name, role }) => (
          <li key={id}>
            <button type="button" class="quiet" disabled={choose.isBusy} onClick={() => choose.run(id)}>
              <span class="named">{name}</span> <span class="badge">{role}</span>
            </button>
          </li>
        ))}
      </ul>
      {error !== undefined && <Problem error={error} />}
      <button type="button" class="quiet small" disabled={signOut.isBusy} onClick={() => signOut.run()}>
        Sign out
      </button>
    </Entrance>
  );
}
