import type { Flow } from '@retention-flow/client';
import type { ComponentChildren } from 'preact';
import { Offers, Reasons } from '../overview/reasons-and-offers';
import { firstDay } from '../overview/span';
import { Tiles } from '../overview/tiles';
import { useSession } from '../shell/session';
import { Loaded, useLoading } from '../ui/loading';
import { Attribute } from './attribute';
import { Splits } from './splits';

interface FlowStatisticsProps {
  flow: Flow;
  days: number;
  /** The attribute of customers to count by; empty for none. */
  by: string;
  query: URLSearchParams;
  /** What stands below the headline numbers. */
  children: ComponentChildren;
}

/** The numbers of a flow in the last days. */
export function FlowStatistics({ flow, days, by, query, children }: FlowStatisticsProps) {
  const { client } = useSession();
  const loading = useLoading(
    (signal) => client.flows.stats(flow.id, { from: firstDay(days, Date.now()), ...(by.trim() && { by }) }, { signal }),
    [flow.id, days, by],
  );
  const stats = loading.value;
  const flows = stats ? [{ ...stats, flow_id: flow.id, name: flow.name }] : [];
  return (
    <>
      <Loaded loading={loading}>{(stats) => <Tiles stats={{ ...stats, flows }} />}</Loaded>
      {children}
      {stats && (
        <>
          {stats.splits.length > 0 && <Splits splits={stats.splits} />}
          <div class="columns">
            <Reasons flows={flows} />
            <Offers flows={flows} />
          </div>
          <Attribute numbers={stats.by} by={by} query={query} path={`/flows/${flow.id}`} />
        </>
      )}
    </>
  );
}
