import type { Flow } from '@retention-flow/client';
import { AudienceChoice, whereOf } from '../audiences/audience-choice';
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
  const where = whereOf(query);
  const loading = useLoading(
    async (signal) => {
      const [stats, earlier] = await Promise.all([
        client.flows.stats(flow.id, { ...during(span), ...where, ...(by.trim() && { by }) }, { signal }),
        client.flows.stats(flow.id, { ...before(span), ...where }, { signal }),
      ]);
      return { stats, earlier };
    },
    [flow.id, span.from, span.to, by, where.where],
  );
  const stats = loading.value?.stats;
  const hasSplit = !!stats?.splits.length || flow.definition.nodes.some(({ type }) => type === 'split');
  const flows = stats ? [{ ...stats, flow_id: flow.id, name: flow.name }] : [];
  return (
    <>
      <AudienceChoice path={`/flows/${flow.id}`} query={query} />
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
            read={(query, signal) => client.flows.stats(flow.id, { ...query, ...where }, { signal })}
          />
          <Months
            key={where.where}
            read={(query, signal) => client.flows.stats(flow.id, { ...query, ...where }, { signal })}
            download={(query, signal) => client.flows.statsCsv(flow.id, { ...query, ...where }, { signal })}
          />
          <Attribute flowId={flow.id} numbers={stats.by} by={by} span={span} query={query} />
        </>
      )}
    </>
  );
}
