import type { Flow, RetentionFlow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { replace } from '../../shell/route';
import { useSession } from '../../shell/session';
import { Select } from '../../ui/field';
import { Loaded, useLoading } from '../../ui/loading';
import { during, type Span } from '../../ui/span';
import { offerNames } from '../offer-names';
import { FlowGraph } from './flow-graph';
import { NodePanel } from './node-panel';
import { NodeTable } from './node-table';

interface GraphCardProps {
  flow: Flow;
  span: Span;
  query: URLSearchParams;
}

/** The graph of a version with the numbers of its sessions, and what is to be known of one node. */
export function GraphCard({ flow, span, query }: GraphCardProps) {
  const { client } = useSession();
  const [selected, setSelected] = useState<string>();
  const version = versionOf(query, flow.current_version);
  const loading = useLoading(
    (signal) => read(client, flow.id, version, span, signal),
    [flow.id, flow.updated_at, version, span.from, span.to],
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
              {!node && (
                <p class="soft">
                  {flow.current_version > 1 &&
                    `Sessions of version ${version}. The results of all versions are under Results. `}
                  Choose a node to see what it says, and where sessions went from it.
                </p>
              )}
              <NodeTable definition={definition} offers={offers} numbers={numbers} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

export function versionOf(query: URLSearchParams, current: number): number {
  const asked = Number(query.get('version'));
  return Number.isInteger(asked) && asked >= 1 && asked <= current ? asked : current;
}

async function read(client: RetentionFlow, id: string, version: number, span: Span, signal: AbortSignal) {
  const [{ definition }, numbers, offers] = await Promise.all([
    client.flows.version(id, version, { signal }),
    client.flows.statsNodes(id, { version, ...during(span) }, { signal }),
    offerNames(client, signal),
  ]);
  return { definition, numbers, offers };
}
