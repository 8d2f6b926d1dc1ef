import type { Flow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { RestoreDialog } from './restore-dialog';

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
  return (
    <section class="card">
      <h2>Versions</h2>
      <Loaded loading={loading}>
        {({ versions }) => (
          <Table
            label="Versions"
            caption="Versions, newest first"
            columns={['Version', 'Since', 'By', 'Note', mayWrite && { name: 'Actions', isUnseen: true }]}
          >
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
          </Table>
        )}
      </Loaded>
      {asked !== undefined && (
        <RestoreDialog flow={flow} version={asked} onRestored={onRestored} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}
