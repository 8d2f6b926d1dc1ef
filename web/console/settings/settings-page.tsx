import { Pictures } from '../pictures/pictures';
import { OwnersOnly } from '../shell/owners-only';
import { useSession } from '../shell/session';
import { Loaded } from '../ui/loading';
import { Page } from '../ui/page';
import { ApiKeys } from './api-keys';
import { Billing } from './billing';
import { CustomerKeys } from './customer-keys';
import { TestWorkspace } from './test-workspace';
import { Usage } from './usage';
import { WorkspaceFacts } from './workspace-facts';
import { WorkspaceForm } from './workspace-form';
import { useWorkspace } from './use-workspace';

export function SettingsPage() {
  const { isOwner } = useSession();
  const loading = useWorkspace();
  return (
    <Page title="Settings">
      <OwnersOnly what="the settings" />
      <Loaded loading={loading}>
        {(workspace) => (
          <>
            <div class="settings-top">
              <section class="card" aria-labelledby="workspace-heading">
                <h2 id="workspace-heading">Workspace</h2>
                {isOwner ? (
                  <WorkspaceForm workspace={workspace} onSaved={loading.reload} />
                ) : (
                  <WorkspaceFacts workspace={workspace} />
                )}
              </section>
              <Usage workspace={workspace} />
            </div>
            {isOwner && <TestWorkspace workspace={workspace} onPassed={loading.reload} />}
            <Billing />
            <ApiKeys />
            <CustomerKeys />
            <Pictures />
          </>
        )}
      </Loaded>
    </Page>
  );
}
