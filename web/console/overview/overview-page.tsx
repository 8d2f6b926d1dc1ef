import type { RetentionFlow } from '@retention-flow/client';
import { SegmentChoice, segmentOf } from '../audiences/segment-choice';
import type { PageProps } from '../shell/pages';
import { useSession } from '../shell/session';
import { DayChart } from '../ui/day-chart';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { before, during, type Span, spanOf } from '../ui/span';
import { SpanChoice } from '../ui/span-choice';
import { FirstSteps, type StepsDone, stepsDone } from './first-steps';
import { FlowNumbers } from './flow-numbers';
import { MoneyAndLasting } from './money';
import { Months } from './months';
import { NextSteps } from './next-steps';
import { Offers, Reasons } from './reasons-and-offers';
import { Tiles } from './tiles';
import { Usage } from './usage';

export function OverviewPage({ query }: PageProps) {
  const { client } = useSession();
  const span = spanOf(query);
  const segment = segmentOf(query);
  const loading = useLoading(
    (signal) => read(client, span, segment, signal),
    [span.from, span.to, segment.where, segment.audience],
  );
  return (
    <Page title="Overview" actions={<SpanChoice path="/" query={query} />}>
      <SegmentChoice path="/" query={query} />
      <Loaded loading={loading}>
        {({ workspace, stats, earlier, days, steps }) => (
          <>
            <NextSteps flows={stats.flows} />
            {steps ? (
              <Beginning steps={steps} days={days.length} />
            ) : (
              <>
                <Tiles stats={stats} earlier={earlier} days={days.length} />
                <section class="card">
                  <div class="card-head">
                    <h2>Sessions a day</h2>
                    <p class="soft">{days.length > 90 ? 'Each bar is a week' : 'Each bar is a day'} (UTC)</p>
                  </div>
                  <DayChart key={days.length} days={days} />
                </section>
                <div class="columns">
                  <Reasons flows={stats.flows} span={span} />
                  <Offers flows={stats.flows} />
                </div>
                <MoneyAndLasting
                  stats={stats}
                  span={span}
                  read={(query, signal) => client.workspace.stats({ ...query, ...segment }, { signal })}
                />
                <Months
                  key={JSON.stringify(segment)}
                  read={(query, signal) => client.workspace.stats({ ...query, ...segment }, { signal })}
                  download={(query, signal) => client.workspace.statsCsv({ ...query, ...segment }, { signal })}
                />
                <FlowNumbers flows={stats.flows} />
              </>
            )}
            <Usage usage={workspace.usage} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Reads what the page shows; without a session in the span, how far the workspace has come. */
async function read(client: RetentionFlow, span: Span, segment: ReturnType<typeof segmentOf>, signal: AbortSignal) {
  const [workspace, stats, earlier, { days }] = await Promise.all([
    client.workspace.get({ signal }),
    client.workspace.stats({ ...during(span), ...segment }, { signal }),
    client.workspace.stats({ ...before(span), ...segment }, { signal }),
    client.workspace.statsDaily({ ...during(span), ...segment }, { signal }),
  ]);
  const steps = stats.sessions.total === 0 ? await stepsDone(client, signal) : undefined;
  return { workspace, stats, earlier, days, steps };
}

function Beginning({ steps, days }: { steps: StepsDone; days: number }) {
  if (!steps.hasSession) return <FirstSteps done={steps} />;
  return (
    <Empty title={`No session began in these ${days} days`}>
      <p>Choose more days, or other dates.</p>
    </Empty>
  );
}
