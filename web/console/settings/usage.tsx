import type { Workspace } from '@retention-flow/client';
import { count, day, percent } from '../ui/format';
import { share } from './share';

/** How much of the month's limit is used, and what one needs to call the service. */
export function Usage({ workspace: { id, usage } }: { workspace: Workspace }) {
  return (
    <section class="card" aria-labelledby="usage-heading">
      <h2 id="usage-heading">This month</h2>
      <div>
        <Used {...usage} />
        <p class="soft">
          The count starts again on {day(usage.period_end)}, UTC.
          {usage.session_limit !== null && ' The operator sets the limit.'}
        </p>
      </div>
      <dl class="facts">
        <div>
          <dt>Workspace ID</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
        <div>
          <dt>For developers</dt>
          <dd>
            <a href="docs">Documentation of the interface</a>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Used({ sessions_used, session_limit }: Workspace['usage']) {
  if (session_limit === null) {
    return (
      <p class="usage-count">
        <strong>{count(sessions_used)}</strong> {sessions_used === 1 ? 'session' : 'sessions'}, without a limit
      </p>
    );
  }
  const used = share(sessions_used, session_limit);
  return (
    <>
      <p class="usage-count">
        <strong>{count(sessions_used)}</strong> of {count(session_limit)} sessions
      </p>
      <meter class="unseen" value={used} aria-label="Used of the month's limit">
        {percent(used)}
      </meter>
      <div class={`usage-bar ${used >= 1 ? 'full' : used >= 0.8 ? 'near' : ''}`} aria-hidden="true">
        <div style={{ width: percent(used) }} />
      </div>
    </>
  );
}
