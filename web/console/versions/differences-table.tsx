import { Table } from '../ui/table';
import type { Difference } from './difference';

interface DifferencesTableProps {
  differences: Difference[];
  /** What the two sides are. */
  before: string;
  after: string;
}

/** What is different, side by side. */
export function DifferencesTable({ differences, before, after }: DifferencesTableProps) {
  return (
    <Table
      label={`${before} and ${after}`}
      caption={`What is different: ${before} and ${after}`}
      class="differences"
      columns={['What', before, after]}
    >
      {differences.map(({ title, is, rows }, index) => (
        <tbody key={index}>
          <tr>
            <th scope="rowgroup" colSpan={3}>
              {title} {is !== 'changed' && <span class={`badge ${is === 'added' ? 'good' : 'bad'}`}>{is}</span>}
            </th>
          </tr>
          {rows.map((row) => (
            <tr key={row.what}>
              <td class="soft">{row.what}</td>
              <td>{row.before && <del>{row.before}</del>}</td>
              <td>{row.after && <ins>{row.after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}
