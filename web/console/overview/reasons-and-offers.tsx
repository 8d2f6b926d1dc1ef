import type { WorkspaceStats } from '@retention-flow/client';
import { href } from '../shell/route';
import { Bars } from '../ui/bars';
import { count, percent } from '../ui/format';
import { offersOf, reasonsOf } from './sums';

type Flows = WorkspaceStats['flows'];

export function Reasons({ flows }: { flows: Flows }) {
  const reasons = reasonsOf(flows);
  const answers = reasons.reduce((total, { sessions }) => total + sessions, 0);
  const rows = reasons.map(({ label, sessions, saved }) => ({
    key: label,
    label,
    value: sessions,
    part: saved,
    numbers: [count(sessions), percent(sessions / answers), percent(saved / sessions)],
  }));
  return (
    <section class="card">
      <h2>Why customers leave</h2>
      {rows.length === 0 ? (
        <p class="soft">No survey was answered in these days.</p>
      ) : (
        <Bars caption="Sessions by reason" columns={['Reason', 'Sessions', 'Share', 'Saved']} rows={rows} />
      )}
    </section>
  );
}

export function Offers({ flows }: { flows: Flows }) {
  const rows = offersOf(flows).map(({ id, name, presented, accepted }) => ({
    key: id,
    label: name,
    href: href(`/offers/${id}`),
    value: presented,
    part: accepted,
    numbers: [count(presented), count(accepted), percent(accepted / presented)],
  }));
  return (
    <section class="card">
      <h2>What makes them stay</h2>
      {rows.length === 0 ? (
        <p class="soft">No offer was presented in these days.</p>
      ) : (
        <Bars caption="Sessions by offer" columns={['Offer', 'Presented', 'Accepted', 'Rate']} rows={rows} />
      )}
    </section>
  );
}
