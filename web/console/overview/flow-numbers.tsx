import type { WorkspaceStats } from '@retention-flow/client';
import { href } from '../shell/route';
import { count, percent } from '../ui/format';
import { numberColumn, Table } from '../ui/table';
import { worthWords } from './worth';

const COLUMNS = [
  'Flow',
  ...['Sessions', 'Customers', 'Saved', 'Canceled', 'Money kept a month'].map((name) => numberColumn(name)),
];

/** The flows that had sessions. */
export function FlowNumbers({ flows }: { flows: WorkspaceStats['flows'] }) {
  return (
    <section class="flow-numbers">
      <h2>Flows</h2>
      <Table label="Flows" caption="Sessions and customers by flow" columns={COLUMNS}>
        <tbody>
          {flows.map(({ flow_id: id, name, sessions, customers, rates, value }) => (
            <tr key={id}>
              <td class="name">
                <a href={href(`/flows/${id}`)}>{name}</a>
              </td>
              <td class="number">{count(sessions.total)}</td>
              <td class="number">{customers ? count(customers.total) : '–'}</td>
              <td class="number">{percent(rates.saved)}</td>
              <td class="number">{percent(rates.canceled)}</td>
              <td class="number">{worthWords(value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
