import type { FlowStats } from '@retention-flow/client';
import { count, money, percent } from '../ui/format';
import { numberColumn, Table } from '../ui/table';

type Numbers = Pick<FlowStats, 'value' | 'lasting'>;
type Value = NonNullable<FlowStats['value']>[number];
type Lasting = NonNullable<FlowStats['lasting']>;

const UNKNOWN = 'Not known: sessions of these days were deleted.';

/** What the customers are worth, and whether those who were saved are still there. */
export function MoneyAndLasting({ stats: { value, lasting } }: { stats: Numbers }) {
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
          <p class="soft">Customers who were saved in these days</p>
        </div>
        {lasting ? <Lasts rows={lasting} /> : <p class="soft">{UNKNOWN}</p>}
      </section>
    </>
  );
}

function Values({ rows }: { rows: Value[] }) {
  if (rows.length === 0) return <p class="soft">Nobody came whose subscription has a known or estimated value.</p>;
  return (
    <Table
      label="What customers are worth a month"
      caption="What customers are worth a month"
      columns={[
        'Currency',
        numberColumn('At risk'),
        numberColumn('Saved'),
        numberColumn('Canceled'),
        numberColumn('Paid since'),
      ]}
    >
      <tbody>
        {rows.map(({ currency, verified, at_risk, saved, canceled, paid_since }) => (
          <tr key={`${currency} ${verified}`}>
            <td class="whole">
              {currency ?? 'Estimated'}
              {verified && <span class="soft"> verified</span>}
            </td>
            <td class="number">{money(at_risk, currency)}</td>
            <td class="number">{money(saved, currency)}</td>
            <td class="number">{money(canceled, currency)}</td>
            <td class="number">{paid_since === null ? '–' : money(paid_since, currency)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Lasts({ rows }: { rows: Lasting }) {
  if (rows.every(({ customers }) => customers === 0)) {
    return <p class="soft">Nobody was saved 30 days ago or longer. Choose days further back.</p>;
  }
  return (
    <Table
      label="Saved customers who are still there"
      caption="Saved customers who are still there"
      columns={['Saved, at least', numberColumn('Customers'), numberColumn('Still there'), numberColumn('Share')]}
    >
      <tbody>
        {rows.map(({ days, customers, still_there, rate }) => (
          <tr key={days}>
            <td class="whole">{days} days ago</td>
            <td class="number">{count(customers)}</td>
            <td class="number">{count(still_there)}</td>
            <td class="number">{percent(rate)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
