import type { Flow } from '@retention-flow/client';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { Time } from '../ui/time';

/** What customers saw, and since when. */
export function Versions({ flow, query }: { flow: Flow; query: URLSearchParams }) {
  const { client } = useSession();
  const loading = useLoading((signal) => client.flows.versions(flow.id, { signal }), [flow.id, flow.current_version]);
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
                </tr>
              </thead>
              <tbody>
                {versions.map(({ version, created_at }) => (
                  <tr key={version}>
                    <td>
                      <a href={href(`/flows/${flow.id}`, { ...Object.fromEntries(query), version: String(version) })}>
                        Version {version}
                      </a>
                    </td>
                    <td class="updated">
                      <Time value={created_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </section>
  );
}
