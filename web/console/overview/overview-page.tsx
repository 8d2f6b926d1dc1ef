import type { RetentionFlow } from '@retention-flow/client';
import type { PageProps } from '../shell/pages';
import { href } from '../shell/route';
import { useSession } from '../shell/session';
import { DayChart } from '../ui/day-chart';
import { Empty } from '../ui/empty';
import { Loaded, useLoading } from '../ui/loading';
import { Page } from '../ui/page';
import { FirstSteps, type StepsDone, stepsDone } from './first-steps';
import { FlowNumbers } from './flow-numbers';
import { Offers, Reasons } from './reasons-and-offers';
import { firstDay, SPANS, spanOf } from './span';
import { Tiles } from './tiles';
import { Usage } from './usage';

export function OverviewPage({ query }: PageProps) {
  const { client } = useSession();
  const span = spanOf(query);
  const loading = useLoading((signal) => read(client, span, signal), [span]);
  return (
    <Page title="Overview" actions={<SpanChoice span={span} />}>
      <Loaded loading={loading}>
        {({ workspace, stats, days, steps }) => (
          <>
            <Usage usage={workspace.usage} />
            {steps ? (
              <Beginning steps={steps} days={days.length} />
            ) : (
              <>
                <Tiles stats={stats} />
                <section class="card">
                  <div class="card-head">
                    <h2>Sessions a day</h2>
                    <p class="soft">{days.length > 90 ? 'Each bar is a week' : 'Each bar is a day'} (UTC)</p>
                  </div>
                  <DayChart key={days.length} days={days} />
                </section>
                <div class="columns">
                  <Reasons flows={stats.flows} />
                  <Offers flows={stats.flows} />
                </div>
                <FlowNumbers flows={stats.flows} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Reads what the page shows; without a session in the span, how far the workspace has come. */
async function read(client: RetentionFlow, span: number, signal: AbortSignal) {
  const query = { from: firstDay(span, Date.now()) };
  const [workspace, stats, { days }] = await Promise.all([
    client.workspace.get({ signal }),
    client.workspace.stats(query, { signal }),
    client.workspace.statsDaily(query, { signal }),
  ]);
  const steps = stats.sessions.total === 0 ? await stepsDone(client, signal) : undefined;
  return { workspace, stats, days, steps };
}

function Beginning({ steps, days }: { steps: StepsDone; days: number }) {
  if (!steps.hasSession) return <FirstSteps done={steps} />;
  return (
    <Empty title={`No session began in these ${days} days`}>
      <p>Choose more days to see earlier sessions.</p>
    </Empty>
  );
}

function SpanChoice({ span }: { span: number }) {
  return (
    <nav class="choice" aria-label="Days">
      {SPANS.map((days) => (
        <a key={days} href={href('/', { days: String(days) })} aria-current={days === span ? 'true' : undefined}>
          {days} days
        </a>
      ))}
    </nav>
  );
}
