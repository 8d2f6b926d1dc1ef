import type { VersionListItem } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';
import { Table } from '../ui/table';
import { RestoreDialog, type Restoring } from './restore-dialog';

interface VersionsCardProps {
  /** The thing that has them. */
  id: string;
  /** The version that is live. */
  current: number;
  read: (signal: AbortSignal) => Promise<{ versions: VersionListItem[] }>;
  /** Where a version is shown, if it has a page. */
  pageOf?: (version: number) => string;
  restoring: Restoring;
}

/** What customers saw, since when, and who made it live. */
export function VersionsCard({ id, current, read, pageOf, restoring }: VersionsCardProps) {
  const { mayWrite } = useSession();
  const [asked, setAsked] = useState<number>();
  const loading = useLoading(read, [id, current]);
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
                  <td>{pageOf ? <a href={pageOf(version)}>Version {version}</a> : `Version ${version}`}</td>
                  <td class="updated">
                    <Time value={created_at} />
                  </td>
                  <td>{published_by?.name ?? 'The service'}</td>
                  <td>{note ?? '–'}</td>
                  {mayWrite && (
                    <td>
                      {version !== current && (
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
        <RestoreDialog version={asked} current={current} {...restoring} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}
