import type { Flow, RetentionFlow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { firstDay } from '../../overview/span';
import { replace } from '../../shell/route';
import { useSession } from '../../shell/session';
import { Select } from '../../ui/field';
import { Loaded, useLoading } from '../../ui/loading';
import { FlowGraph } from './flow-graph';
import { NodePanel } from './node-panel';
import { NodeTable } from './node-table';

interface GraphCardProps {
  flow: Flow;
  days: number;
  query: URLSearchParams;
}

/** The graph of a version with the numbers of its sessions, and what is to be known of one node. */
export function GraphCard({ flow, days, query }: GraphCardProps) {
  const { client } = useSession();
  const [selected, setSelected] = useState<string>();
  const version = versionOf(query, flow.current_version);
  const loading = useLoading(
    (signal) => read(client, flow.id, version, days, signal),
    [flow.id, flow.updated_at, version, days],
  );
  const versions = Array.from({ length: flow.current_version }, (_, index) => String(flow.current_version - index));
  return (
    <section class="card">
      <div class="card-head">
        <h2>Ways through the flow</h2>
        {flow.current_version > 1 && (
          <Select
            name="version"
            label="Version"
            value={String(version)}
            options={versions.map((one) => [one, one === String(flow.current_version) ? `${one}, current` : one])}
            onInput={(chosen) => replace(`/flows/${flow.id}`, { ...Object.fromEntries(query), version: chosen })}
          />
        )}
      </div>
      <Loaded loading={loading}>
        {({ definition, offers, numbers }) => {
          const node = definition.nodes.find(({ key }) => key === selected);
          return (
            <>
              <div class={node ? 'graph-beside' : ''}>
                <FlowGraph
                  definition={definition}
                  offers={offers}
                  numbers={numbers}
                  selected={node?.key}
                  onSelect={(key) => setSelected(key === selected ? undefined : key)}
                />
                {node && <NodePanel key={node.key} node={node} offers={offers} numbers={numbers} />}
              </div>
              {!node && <p class="soft">Choose a node to see what it says, and where sessions went from it.</p>}
              <NodeTable definition={definition} offers={offers} numbers={numbers} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function versionOf(query: URLSearchParams, current: number): number {
  const asked = Number(query.get('version'));
  return Number.isInteger(asked) && asked >= 1 && asked <= current ? asked : current;
}

async function read(client: RetentionFlow, id: string, version: number, days: number, signal: AbortSignal) {
  const [{ definition }, numbers, offers] = await Promise.all([
    client.flows.version(id, version, { signal }),
    client.flows.statsNodes(id, { version, from: firstDay(days, Date.now()) }, { signal }),
    offersById(client, signal),
  ]);
  return { definition, numbers, offers };
}

async function offersById(client: RetentionFlow, signal: AbortSignal) {
  const offers = new Map<string, { name: string }>();
  // Graphs, old ones above all, name archived offers, too.
  for (const status of ['active', 'archived'] as const) {
    for await (const { id, name } of client.offers.list({ limit: 500, status }, { signal })) offers.set(id, { name });
  }
  return offers;
}
