import { etagOf, type Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Confirm } from '../ui/dialog';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { toast } from '../ui/toast';

interface VersionsProps {
  flow: Flow;
  query: URLSearchParams;
  onRestored: () => Promise<void>;
}

/** What customers saw, since when, and who made it live. */
export function Versions({ flow, query, onRestored }: VersionsProps) {
  const { client, mayWrite } = useSession();
  const [asked, setAsked] = useState<number>();
  const loading = useLoading((signal) => client.flows.versions(flow.id, { signal }), [flow.id, flow.current_version]);
  const restore = async () => {
    const { version } = await client.flows.restore(flow.id, asked!, {}, { ifMatch: etagOf(flow) });
    toast(version === flow.current_version ? 'It is the same as what is live.' : `Restored as version ${version}.`);
    await onRestored();
  };
  return (
    <section class="card">
      <h2>Versions</h2>
      <Loaded loading={loading}>
        {({ versions }) => (
          <div class="table" tabIndex={0} role="region" aria-label="Versions">
            <table>
              <caption class="unseen">Versions, newest first</caption>
              <thead>
                <tr>
                  <th scope="col">Version</th>
                  <th scope="col">Since</th>
                  <th scope="col">By</th>
                  <th scope="col">Note</th>
                  {mayWrite && (
                    <th scope="col">
                      <span class="unseen">Actions</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {versions.map(({ version, created_at, published_by, note }) => (
                  <tr key={version}>
                    <td>
                      <a href={href(`/flows/${flow.id}`, { ...Object.fromEntries(query), version: String(version) })}>
                        Version {version}
                      </a>
                    </td>
                    <td class="updated">
                      <Time value={created_at} />
                    </td>
                    <td>{published_by?.name ?? 'The service'}</td>
                    <td>{note ?? '–'}</td>
                    {mayWrite && (
                      <td>
                        {version !== flow.current_version && (
                          <button
                            type="button"
                            class="quiet small"
                            aria-label={`Restore version ${version}`}
                            onClick={() => setAsked(version)}
                          >
                            Restore
                          </button>
                        )}
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
      {asked !== undefined && (
        <Confirm
          title={`Restore version ${asked}?`}
          verb="Restore now"
          onConfirm={restore}
          onClose={() => setAsked(undefined)}
        >
          <p>
            What it says becomes the next version. Customers who come from now on see it; those under way stay with
            theirs.
          </p>
        </Confirm>
      )}
    </section>
  );
}
