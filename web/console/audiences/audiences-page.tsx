import type { Audience } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { MAX_AUDIENCES } from '../../../src/flows/graph/graph-limits';
import { rememberNames } from '../flows/audience-names';
import { conditionWords } from '../flows/graph/condition-words';
import { useSession } from '../shell/session';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { Table } from '../ui/table';
import { AudienceDialog } from './audience-dialog';
import { DeleteAudience } from './delete-audience';

/** Customers who have something in common: what branches of several flows go by. */
export function AudiencesPage() {
  const { client, mayWrite } = useSession();
  const loading = useLoading(async (signal) => {
    const { audiences } = await client.audiences.list({ limit: MAX_AUDIENCES }, { signal });
    rememberNames(audiences);
    return audiences;
  }, []);
  const [edited, setEdited] = useState<Audience | 'new'>();
  const [deleted, setDeleted] = useState<Audience>();
  const create = mayWrite && (
    <button type="button" class="primary" onClick={() => setEdited('new')}>
      New audience
    </button>
  );
  return (
    <Page title="Audiences" actions={loading.value && loading.value.length > 0 && create}>
      <Loaded loading={loading}>
        {(audiences) =>
          audiences.length === 0 ? (
            <Empty title="No audiences yet">
              <p>Say once who your loyal customers are, and branch on it in every flow.</p>
              {create}
            </Empty>
          ) : (
            <Table
              label="Table of audiences"
              caption="Audiences, newest first"
              columns={['Audience', 'Who is in it', mayWrite && { name: 'Change', isUnseen: true }]}
            >
              <tbody>
                {audiences.map((audience) => (
                  <tr key={audience.id}>
                    <td class="named">
                      {audience.name}
                      {audience.key !== null && <code class="soft">{audience.key}</code>}
                    </td>
                    <td>{conditionWords(audience.when)}</td>
                    {mayWrite && (
                      <td>
                        <div class="actions">
                          <button
                            type="button"
                            class="quiet small"
                            aria-label={`Change ${audience.name}`}
                            onClick={() => setEdited(audience)}
                          >
                            Change
                          </button>
                          <button
                            type="button"
                            class="quiet small"
                            aria-label={`Delete ${audience.name}`}
                            onClick={() => setDeleted(audience)}
                          >
                            Delete
                          </button>
                        </div>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </Table>
          )
        }
      </Loaded>
      {edited && (
        <AudienceDialog
          audience={edited === 'new' ? undefined : edited}
          onSaved={loading.reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <DeleteAudience audience={deleted} onDeleted={loading.reload} onClose={() => setDeleted(undefined)} />
      )}
    </Page>
  );
}
