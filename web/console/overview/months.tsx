import type { WorkspaceStats } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { Download } from '../ui/download';
import { count, month, percent } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { numberColumn, Table } from '../ui/table';
import { netWords, worthWords } from './worth';

type Query = { from: string; interval: 'month' };
type Period = NonNullable<WorkspaceStats['periods']>[number];

interface MonthsProps {
  read: (query: Query, signal: AbortSignal) => Promise<Pick<WorkspaceStats, 'periods'>>;
  download: (query: Query, signal: AbortSignal) => Promise<Response>;
}

/** This month and the five before. They are read when somebody asks for them: they may be many sessions. */
export function Months({ read, download }: MonthsProps) {
  const [isShown, setIsShown] = useState(false);
  const query: Query = { from: fiveMonthsAgo(), interval: 'month' };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Month by month</h2>
        {isShown ? (
          <Download name="statistics.csv" load={(signal) => download(query, signal)} />
        ) : (
          <button type="button" class="quiet" onClick={() => setIsShown(true)}>
            Show the last six months
          </button>
        )}
      </div>
      {isShown ? (
        <Shown read={(signal) => read(query, signal)} />
      ) : (
        <p class="soft">Customers and money of each month, one beside the other.</p>
      )}
    </section>
  );
}

function Shown({ read }: { read: (signal: AbortSignal) => ReturnType<MonthsProps['read']> }) {
  const loading = useLoading(read, []);
  return (
    <Loaded loading={loading}>
      {({ periods = [] }) => {
        const first = periods.findIndex(({ sessions }) => sessions.total > 0);
        if (first < 0) return <p class="soft">No session began in these months.</p>;
        return <Rows months={periods.slice(first)} />;
      }}
    </Loaded>
  );
}

function Rows({ months }: { months: Period[] }) {
  return (
    <>
      <Table
        label="Month by month"
        caption="Customers and money by month, the newest first"
        columns={[
          'Month',
          ...['Customers', 'Saved', 'Canceled', 'Money kept a month', 'After offers'].map((name) => numberColumn(name)),
        ]}
      >
        <tbody>
          {months.toReversed().map(({ from, customers, rates, value }) => (
            <tr key={from}>
              <td class="whole">{month(from)}</td>
              <td class="number">{customers ? count(customers.total) : '–'}</td>
              <td class="number">{percent(rates.saved)}</td>
              <td class="number">{percent(rates.canceled)}</td>
              <td class="number">{worthWords(value)}</td>
              <td class="number">{netWords(value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p class="soft">A customer counts once in each month that they came in, so months do not add up.</p>
    </>
  );
}

function fiveMonthsAgo(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 5, 1)).toISOString().slice(0, 10);
}
