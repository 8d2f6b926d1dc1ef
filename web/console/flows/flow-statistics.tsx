import type { Flow } from '@retention-flow/client';
import { SegmentChoice, segmentOf } from '../audiences/segment-choice';
import { MoneyAndLasting } from '../overview/money';
import { Months } from '../overview/months';
import { Offers, Reasons } from '../overview/reasons-and-offers';
import { Tiles } from '../overview/tiles';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { before, during, type Span } from '../ui/span';
import { Attribute } from './attribute';
import { Splits } from './splits';

interface FlowStatisticsProps {
  flow: Flow;
  span: Span;
  /** The attribute of customers to count by; empty for none. */
  by: string;
  query: URLSearchParams;
  onChange: () => Promise<void>;
}

/** The numbers of a flow in a span of days. */
export function FlowStatistics({ flow, span, by, query, onChange }: FlowStatisticsProps) {
  const { client } = useSession();
  const segment = segmentOf(query);
  const loading = useLoading(
    async (signal) => {
      const [stats, earlier] = await Promise.all([
        client.flows.stats(flow.id, { ...during(span), ...segment, ...(by.trim() && { by }) }, { signal }),
        client.flows.stats(flow.id, { ...before(span), ...segment }, { signal }),
      ]);
      return { stats, earlier };
    },
    [flow.id, span.from, span.to, by, segment.where, segment.audience],
  );
  const stats = loading.value?.stats;
  const hasSplit = !!stats?.splits.length || flow.definition.nodes.some(({ type }) => type === 'split');
  const flows = stats ? [{ ...stats, flow_id: flow.id, name: flow.name }] : [];
  return (
    <>
      <SegmentChoice path={`/flows/${flow.id}`} query={query} />
      <Loaded loading={loading}>
        {({ stats, earlier }) => <Tiles stats={stats} earlier={earlier} days={span.days} />}
      </Loaded>
      {stats && (
        <>
          {hasSplit && <Splits flow={flow} onChange={onChange} />}
          <div class="columns">
            <Reasons flows={flows} span={span} />
            <Offers flows={flows} />
          </div>
          <MoneyAndLasting
            stats={stats}
            span={span}
            read={(query, signal) => client.flows.stats(flow.id, { ...query, ...segment }, { signal })}
          />
          <Months
            key={JSON.stringify(segment)}
            read={(query, signal) => client.flows.stats(flow.id, { ...query, ...segment }, { signal })}
            download={(query, signal) => client.flows.statsCsv(flow.id, { ...query, ...segment }, { signal })}
          />
          <Attribute flowId={flow.id} numbers={stats.by} by={by} span={span} query={query} />
        </>
      )}
    </>
  );
}
