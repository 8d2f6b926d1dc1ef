import type { FlowStats } from '@retention-flow/client';
import type { ComponentChildren } from 'preact';
import { count, money, percent } from '../ui/format';

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
      caption="What customers are worth a month"
      columns={['Currency', 'At risk', 'Saved', 'Canceled', 'Paid since']}
    >
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
    </Table>
  );
}

function Lasts({ rows }: { rows: Lasting }) {
  if (rows.every(({ customers }) => customers === 0)) {
    return <p class="soft">Nobody was saved 30 days ago or longer. Choose days further back.</p>;
  }
  return (
    <Table
      caption="Saved customers who are still there"
      columns={['Saved, at least', 'Customers', 'Still there', 'Share']}
    >
      {rows.map(({ days, customers, still_there, rate }) => (
        <tr key={days}>
          <td class="whole">{days} days ago</td>
          <td class="number">{count(customers)}</td>
          <td class="number">{count(still_there)}</td>
          <td class="number">{percent(rate)}</td>
        </tr>
      ))}
    </Table>
  );
}

interface TableProps {
  caption: string;
  /** All but the first are numbers. */
  columns: string[];
  children: ComponentChildren;
}

function Table({ caption, columns, children }: TableProps) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" class={index === 0 ? undefined : 'number'}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
