import { OwnersOnly } from '../shell/owners-only';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { BrandForm } from './brand-form';
import { BrandPreview } from './brand-preview';

/** What customers' pages look like. */
export function BrandPage() {
  const { client, isOwner, changed } = useSession();
  const loading = useLoading(async (signal) => {
    const workspace = await client.workspace.get({ signal });
    changed(workspace);
    return workspace;
  }, []);
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
