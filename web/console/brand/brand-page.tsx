import { OwnersOnly } from '../shell/owners-only';
import { useSession } from '../shell/session';
import { Loaded } from '../ui/loading';
import { Page } from '../ui/page';
import { BrandForm } from './brand-form';
import { BrandPreview } from './brand-preview';
import { useWorkspace } from '../settings/use-workspace';

/** What customers' pages look like. */
export function BrandPage() {
  const { isOwner } = useSession();
  const loading = useWorkspace();
  return (
    <Page title="Brand">
      <OwnersOnly what="the brand" />
      <Loaded loading={loading}>
        {(workspace) =>
          isOwner ? (
            <BrandForm key={workspace.id} workspace={workspace} onSaved={loading.reload} />
          ) : (
            <section class="card">
              <BrandPreview draft={workspace} isDark={false} />
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}
