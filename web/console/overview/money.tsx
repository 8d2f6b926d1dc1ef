import type { FlowStats } from '@retention-flow/client';
import { count, day, money, percent } from '../ui/format';
import { during, monthEarlier, type Span } from '../ui/span';
import { useLoading } from '../ui/loading';
import { numberColumn, Table } from '../ui/table';

type Numbers = Pick<FlowStats, 'value' | 'lasting'>;

/** Customers who were saved in as many days, a month earlier. */
interface Older {
  lasting: FlowStats['lasting'];
  /** The days. */
  from: string;
  to: string;
}
type Value = NonNullable<FlowStats['value']>[number];
type Lasting = NonNullable<FlowStats['lasting']>;

const UNKNOWN = 'Not known: sessions of these days were deleted.';

/** For days that are too near to know whether saves last: reads as many days, a month earlier. */
async function readOlder(
  { lasting }: Numbers,
  span: Span,
  read: (query: ReturnType<typeof during>) => Promise<Numbers>,
): Promise<Older | undefined> {
  const isNear = Date.parse(span.to) > Date.now() - 30 * 86_400_000;
  if (!isNear || !lasting || lasting.some(({ stay }) => stay !== null)) return undefined;
  const { from, to } = monthEarlier(span);
  return { lasting: (await read(during({ from, to }))).lasting, from, to };
}

interface MoneyAndLastingProps {
  stats: Numbers;
  span: Span;
  /** Reads the numbers of other days. */
  read: (query: ReturnType<typeof during>, signal: AbortSignal) => Promise<Numbers>;
}

/** What the customers are worth, and whether those who were saved are still there. */
export function MoneyAndLasting({ stats, span, read }: MoneyAndLastingProps) {
  const { value, lasting } = stats;
  const loading = useLoading(
    (signal) => readOlder(stats, span, (query) => read(query, signal)),
    [span.from, span.to, lasting],
  );
  const older = loading.value;
  return (
    <>
      <section class="card">
        <div class="card-head">
          <h2>Money</h2>
          <p class="soft">A month, by currency</p>
        </div>
        {value ? <Values rows={value} /> : <p class="soft">{UNKNOWN}</p>}
      </section>
      <section class="card">
        <div class="card-head">
          <h2>Do saves last?</h2>
          <p class="soft">Customers who were saved {older ? 'a month earlier' : 'in these days'}</p>
        </div>
        {!lasting && <p class="soft">{UNKNOWN}</p>}
        {lasting && !older && <Lasts rows={lasting} />}
        {older && <LastsOlder older={older} />}
      </section>
    </>
  );
}

function Values({ rows }: { rows: Value[] }) {
  if (rows.length === 0) return <p class="soft">Nobody came whose subscription has a known or estimated value.</p>;
  return (
    <>
      <Table
        label="What customers are worth a month"
        caption="What customers are worth a month"
        columns={[
          'Currency',
          numberColumn('At risk'),
          numberColumn('Saved'),
          numberColumn('After offers'),
          numberColumn('Canceled'),
          numberColumn('Paid since'),
        ]}
      >
        <tbody>
          {rows.map(({ currency, verified, at_risk, saved, net, canceled, paid_since }) => (
            <tr key={`${currency} ${verified}`}>
              <td class="whole">
                {currency ?? 'Estimated'}
                {verified && <span class="soft"> verified</span>}
              </td>
              <td class="number">{money(at_risk, currency)}</td>
              <td class="number">{money(saved, currency)}</td>
              <td class="number">{net === null ? '–' : money(net, currency)}</td>
              <td class="number">{money(canceled, currency)}</td>
              <td class="number">{paid_since === null ? '–' : money(paid_since, currency)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p class="soft">
        After offers: what is left of “Saved” on average in the year from each save, by what billing changed.
        {rows.some(({ net }) => net === null) && ' “–”: it is not known of every offer that was accepted.'}
      </p>
    </>
  );
}

function LastsOlder({ older: { lasting, from, to } }: { older: Older }) {
  const days = `from ${day(from)} to ${day(to)}`;
  const month = lasting?.[0];
  if (!month) return <p class="soft">Not known: sessions {days} were deleted.</p>;
  if (month.stay === null) return <p class="soft">Nobody was saved {days}, a month earlier.</p>;
  return (
    <p>
      Of those saved {days}, <strong>{percent(month.stay)}</strong> stay 30 days
      {month.interval && ` (${percent(month.interval[0])} to ${percent(month.interval[1])})`}.
    </p>
  );
}

function Lasts({ rows }: { rows: Lasting }) {
  if (rows.every(({ stay }) => stay === null))
    return <p class="soft">Nobody was saved in these days long enough ago.</p>;
  return (
    <Table
      label="How many of those saved stay"
      caption="How many of those saved stay"
      columns={['For', numberColumn('Stay'), numberColumn('Probably'), numberColumn('Watched so long')]}
    >
      <tbody>
        {rows.map(({ days, stay, interval, at_risk }) => (
          <tr key={days}>
            <td class="whole">{days} days</td>
            <td class="number">{percent(stay)}</td>
            <td class="number">{interval ? `${percent(interval[0])} to ${percent(interval[1])}` : '–'}</td>
            <td class="number">{count(at_risk)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
