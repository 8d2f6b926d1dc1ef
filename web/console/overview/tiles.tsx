import type { WorkspaceStats } from '@retention-flow/client';
import { amount, count, percent } from '../ui/format';

/** The numbers of the span. */
export function Tiles({ stats }: { stats: WorkspaceStats }) {
  const { sessions, customers, save_rate: rate, estimated_monthly_value_retained: value } = stats;
  const ended = sessions.saved + sessions.canceled + sessions.abandoned;
  const share = (part: number, whole: number) => percent(whole === 0 ? null : part / whole);
  return (
    <dl class="tiles">
      <Tile
        name="Sessions"
        value={count(sessions.total)}
        notes={[
          `${count(sessions.saved)} saved, ${count(sessions.canceled)} canceled`,
          `${count(sessions.abandoned)} abandoned, ${count(sessions.in_progress)} in progress`,
        ]}
      />
      <Tile
        name="Save rate"
        value={share(sessions.saved, sessions.total)}
        notes={[
          `${share(sessions.saved, ended)} of the ${count(ended)} that ended`,
          `${percent(rate.accepted_offer)} of them accepted an offer`,
        ]}
      />
      <Tile
        name="Customers"
        value={count(customers.total)}
        notes={[`${count(customers.saved)} stayed, ${count(customers.canceled)} canceled`]}
      />
      <Tile
        name="Value retained"
        value={value === null ? '–' : amount(value)}
        notes={[
          value === null
            ? 'Shown once a flow has an estimated monthly value'
            : 'A month: customers who stayed × the estimated value of each',
        ]}
      />
    </dl>
  );
}

function Tile({ name, value, notes }: { name: string; value: string; notes: string[] }) {
  return (
    <div class="card tile">
      <dt>{name}</dt>
      <dd class="tile-value">{value}</dd>
      {notes.map((note) => (
        <dd key={note} class="soft">
          {note}
        </dd>
      ))}
    </div>
  );
}
