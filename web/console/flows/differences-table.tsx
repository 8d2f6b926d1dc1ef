import type { Difference } from './differences';

interface DifferencesTableProps {
  differences: Difference[];
  /** What the two sides are. */
  before: string;
  after: string;
}

/** What is different, side by side. */
export function DifferencesTable({ differences, before, after }: DifferencesTableProps) {
  return (
    <div class="table differences" tabIndex={0} role="region" aria-label={`${before} and ${after}`}>
      <table>
        <caption class="unseen">
          What is different: {before} and {after}
        </caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">{before}</th>
            <th scope="col">{after}</th>
          </tr>
        </thead>
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
      </table>
    </div>
  );
}
