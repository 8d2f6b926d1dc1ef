import type { Flow } from '@retention-flow/client';
import { MoneyAndLasting } from '../overview/money';
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
  const loading = useLoading(
    async (signal) => {
      const [stats, earlier] = await Promise.all([
        client.flows.stats(flow.id, { ...during(span), ...(by.trim() && { by }) }, { signal }),
        client.flows.stats(flow.id, before(span), { signal }),
      ]);
      return { stats, earlier };
    },
    [flow.id, span.from, span.to, by],
  );
  const stats = loading.value?.stats;
  const hasSplit = !!stats?.splits.length || flow.definition.nodes.some(({ type }) => type === 'split');
  const flows = stats ? [{ ...stats, flow_id: flow.id, name: flow.name }] : [];
  return (
    <>
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
            read={(query, signal) => client.flows.stats(flow.id, query, { signal })}
          />
          <Attribute flowId={flow.id} numbers={stats.by} by={by} span={span} query={query} />
        </>
      )}
    </>
  );
}
