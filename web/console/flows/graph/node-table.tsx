import type { FlowDefinition, FlowNodeStats } from '@retention-flow/client';
import { count } from '../../ui/format';
import { numberColumn, Table } from '../../ui/table';
import { exitWords } from './exit-words';
import { outlineOf } from './graph-outline';

interface NodeTableProps {
  definition: FlowDefinition;
  offers: ReadonlyMap<string, { name: string }>;
  numbers: FlowNodeStats;
}

/** The numbers of the graph as a table. */
export function NodeTable({ definition, offers, numbers }: NodeTableProps) {
  const byKey = new Map(numbers.nodes.map((node) => [node.node_key, node]));
  const titles = new Map(outlineOf(definition, offers).nodes.map(({ key, title }) => [key, title]));
  return (
    <details class="node-table">
      <summary>All numbers as a table</summary>
      <Table
        label="Numbers of nodes"
        caption={`Sessions of version ${numbers.version} by node`}
        columns={['Node', numberColumn('Came'), 'Went on', numberColumn('Abandoned'), numberColumn('Still here')]}
      >
        <tbody>
          {definition.nodes.map((node) => {
            const own = byKey.get(node.key);
            const exits = (own?.exits ?? []).filter(({ sessions }) => sessions > 0);
            return (
              <tr key={node.key}>
                <td>
                  {titles.get(node.key)} <code class="soft">{node.key}</code>
                </td>
                <td class="number">{count(own?.sessions ?? 0)}</td>
                <td>{exits.map((exit) => `${exitWords(node, exit)}: ${count(exit.sessions)}`).join('; ') || '–'}</td>
                <td class="number">{count(own?.abandoned ?? 0)}</td>
                <td class="number">{count(own?.in_progress ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </details>
  );
}
