import type { FlowStats } from '@retention-flow/client';
import { changeOf, pointsOf } from '../ui/change';
import { amount, count, counted, percent } from '../ui/format';

const UNKNOWN = 'Not known: sessions of these days were deleted';

type Numbers = Pick<FlowStats, 'sessions' | 'customers' | 'rates' | 'estimated_monthly_value_retained'>;

interface TilesProps {
  stats: Numbers;
  /** Those of the time before, just as long. */
  earlier: Numbers;
  days: number;
}

/** The numbers of a span of days, and how they changed. */
export function Tiles({ stats, earlier, days }: TilesProps) {
  const { sessions, customers, rates, estimated_monthly_value_retained: value } = stats;
  const since = (change: string | undefined) =>
    change && `${change} in the ${days === 1 ? 'day' : `${days} days`} before`;
  const rateNotes = (part: 'saved' | 'saved_by_offer' | 'canceled') => [
    since(pointsOf(rates[part], earlier.rates[part])),
    customers ? `${count(customers[part])} of ${counted(customers.total, 'customer')}` : UNKNOWN,
  ];
  return (
    <dl class="tiles">
      <Tile
        name="Customers"
        value={customers ? count(customers.total) : '–'}
        notes={[
          since(changeOf(customers?.total ?? null, earlier.customers?.total ?? null)),
          `In ${counted(sessions.total, 'session')}`,
          customers
            ? `${count(customers.abandoned)} closed the window, ${count(customers.in_progress)} in progress`
            : UNKNOWN,
        ]}
      />
      <Tile
        name="Saved"
        value={percent(rates.saved)}
        notes={[...rateNotes('saved'), customers ? `${count(customers.saved_by_offer)} by an offer` : undefined]}
      />
      <Tile name="Canceled" value={percent(rates.canceled)} notes={rateNotes('canceled')} />
      <Tile
        name="Estimate retained"
        value={value === null ? '–' : amount(value)}
        notes={[since(changeOf(value, earlier.estimated_monthly_value_retained)), valueNote(stats)]}
      />
    </dl>
  );
}

function Tile({ name, value, notes }: { name: string; value: string; notes: (string | undefined)[] }) {
  return (
    <div class="card tile">
      <dt>{name}</dt>
      <dd class="tile-value">{value}</dd>
      {notes.map(
        (note) =>
          note && (
            <dd key={note} class="soft">
              {note}
            </dd>
          ),
      )}
    </div>
  );
}

function valueNote({ customers, estimated_monthly_value_retained: value }: Numbers): string {
  if (!customers) return UNKNOWN;
  return value === null
    ? 'Estimated for customers who came with an id, and without an amount of their own'
    : 'A month, of saved customers: what their flow was estimated at when they came';
}
