import type { FlowStats } from '@retention-flow/client';
import { changeOf, pointsOf } from '../ui/change';
import { count, counted, percent } from '../ui/format';
import { type Worth, worthOfSaved, worthWords } from './worth';

const UNKNOWN = 'Not known: sessions of these days were deleted';

type Numbers = Pick<FlowStats, 'sessions' | 'customers' | 'rates' | 'value'>;

interface TilesProps {
  stats: Numbers;
  /** Those of the time before, just as long. */
  earlier: Numbers;
  days: number;
}

/** The numbers of a span of days, and how they changed. */
export function Tiles({ stats, earlier, days }: TilesProps) {
  const { sessions, customers, rates, value } = stats;
  const since = (change: string | undefined) =>
    change && `${change} in the ${days === 1 ? 'day' : `${days} days`} before`;
  const rateNotes = (part: 'saved' | 'saved_by_offer' | 'canceled') => [
    since(pointsOf(rates[part], earlier.rates[part])),
    customers ? `${count(customers[part])} of ${counted(customers.total, 'customer')}` : UNKNOWN,
  ];
  return (
    <dl class="tiles">
      <Tile
        name="Money kept a month"
        value={worthWords(value)}
        notes={[since(changeOfWorth(worthOfSaved(value), worthOfSaved(earlier.value))), worthNote(value)]}
      />
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

/** Where there is one currency, now and before. */
function changeOfWorth([now, ...others]: Worth[], [earlier, ...more]: Worth[]): string | undefined {
  const isOne = now && earlier && others.length + more.length === 0 && now.currency === earlier.currency;
  return isOne ? changeOf(now.saved, earlier.saved) : undefined;
}

function worthNote(value: Numbers['value']): string {
  if (!value) return UNKNOWN;
  if (value.length === 0) return 'No session says what the subscription costs, and no flow has an estimate';
  const hasEstimate = value.some(({ currency }) => currency === null);
  return `What they paid before; discounts are not taken off${hasEstimate ? '. Without a currency: what their flow is estimated at' : ''}`;
}
