import type { Workspace } from '@retention-flow/client';
import { share as shareOf } from '../settings/share';
import { count, counted, day, percent } from '../ui/format';

const NEAR = 0.8;

/** How much of the month's limit is used, if there is one. */
export function Usage({ usage }: { usage: Workspace['usage'] }) {
  const { sessions_used: used, session_limit: limit } = usage;
  if (limit === null) return null;
  const share = shareOf(used, limit);
  const again = day(usage.period_end);
  return (
    <section class="card usage">
      <div class="card-head">
        <h2 id="usage">This month</h2>
        <p>
          <strong>{count(used)}</strong> of {counted(limit, 'session')} used
        </p>
      </div>
      <div
        class={`meter ${toneOf(share)}`}
        role="meter"
        aria-labelledby="usage"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${count(used)} of ${counted(limit, 'session')}`}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      {share < 1 ? (
        <p class="soft">
          {percent(share)} of the limit. The count starts again on {again}.
        </p>
      ) : (
        <p class="notice error">
          The limit is reached. No session starts until {again}: cancel links lead straight to your cancellation page.
        </p>
      )}
    </section>
  );
}

function toneOf(share: number): string {
  if (share < NEAR) return '';
  return share < 1 ? 'near' : 'full';
}
