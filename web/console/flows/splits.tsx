import type { Flow, RetentionFlow } from '@retention-flow/client';
import { useSession } from '../shell/session';
import { points } from '../ui/change';
import { count, percent } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { numberColumn, Table } from '../ui/table';
import { type Arm, doubtsOf, knownOf, laterOf, type Split, weightShare } from './experiment';

/** Experiments: how the arms of each split do, since they were last changed. */
export function Splits({ flow }: { flow: Flow }) {
  const { client } = useSession();
  const loading = useLoading((signal) => read(client, flow, signal), [flow.id, flow.updated_at]);
  return (
    <section class="card">
      <div class="card-head">
        <h2>Experiments</h2>
        <p class="soft">All customers since the arms were changed, whatever days are chosen above</p>
      </div>
      <Loaded loading={loading}>
        {({ splits, days }) => (
          <>
            {splits.length === 0 && <p class="soft">No customer has come to the split yet.</p>}
            {splits.map((split) => (
              <Experiment key={nameOf(split)} split={split} splits={splits} days={days.get(nameOf(split))} />
            ))}
            <p class="soft">
              Each customer who came counts once, by what they decided last in this flow; those who closed the window
              are neither saved nor canceled. Whether a saved customer stays is not known here.
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Reads the experiments of a flow, and how many days ago those began that go on. */
async function read(client: RetentionFlow, flow: Flow, signal: AbortSignal) {
  const { splits } = await client.flows.stats(flow.id, { from: flow.created_at }, { signal });
  const goOn = splits.filter(
    (split) =>
      flow.status === 'published' &&
      !laterOf(split, splits) &&
      flow.definition.nodes.some(({ key }) => key === split.node_key),
  );
  const days = new Map<string, number>();
  for (const split of goOn) {
    const { created_at } = await client.flows.version(flow.id, split.from_version, { signal });
    days.set(nameOf(split), Math.max(1, (Date.now() - Date.parse(created_at)) / 86_400_000));
  }
  return { splits, days };
}

function nameOf({ node_key, from_version }: Split): string {
  return `${node_key} ${from_version}`;
}

interface ExperimentProps {
  split: Split;
  splits: Split[];
  days: number | undefined;
}

function Experiment({ split, splits, days }: ExperimentProps) {
  const { node_key, from_version, to_version, arms } = split;
  const versions = from_version === to_version ? `version ${to_version}` : `versions ${from_version} to ${to_version}`;
  return (
    <div class="split">
      <h3>
        {node_key} <span class="soft">{versions}</span>
      </h3>
      <p>{knownOf(split, days)}</p>
      {doubtsOf(split, splits).map((doubt) => (
        <p key={doubt} class="notice">
          {doubt}
        </p>
      ))}
      {arms && <Arms arms={arms} caption={`Arms of ${node_key}, ${versions}`} />}
    </div>
  );
}

function Arms({ arms, caption }: { arms: Arm[]; caption: string }) {
  const hasControl = arms.some(({ control }) => control);
  return (
    <Table
      label={caption}
      caption={`${caption}, with the intervals of their rates`}
      columns={[
        'Arm',
        numberColumn('Weight'),
        numberColumn('Customers'),
        'Saved',
        'Canceled',
        hasControl && numberColumn('Canceled, against control'),
      ]}
    >
      <tbody>
        {arms.map((arm) => (
          <tr key={arm.name}>
            <td class="name">
              {arm.name}
              {arm.control && <span class="soft"> control</span>}
            </td>
            <td class="number">{percent(weightShare(arm, arms))}</td>
            <td class="number">{count(arm.customers)}</td>
            {(['saved', 'canceled'] as const).map((part) => (
              <td key={part} class={`whisker ${part}`}>
                <Whisker rate={arm.rates[part]} interval={arm.interval[part]} />
              </td>
            ))}
            {hasControl && <td class="number">{arm.lift && <AgainstControl lift={arm.lift} />}</td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** How many more customers cancel than in the control, in percentage points. */
function AgainstControl({ lift: { value, interval } }: { lift: NonNullable<Arm['lift']> }) {
  return (
    <>
      {points(-value)}
      <span class="range soft">
        {points(-interval[1])} to {points(-interval[0])}
      </span>
    </>
  );
}

function Range({ interval }: { interval: number[] | null }) {
  if (!interval) return null;
  return (
    <span class="range soft">
      {percent(interval[0])} to {percent(interval[1])}
    </span>
  );
}

/** A bar as long as a rate, from 0 to 100 %, with the interval that the true one lies in. */
function Whisker({ rate, interval }: { rate: number | null; interval: number[] | null }) {
  if (rate === null || !interval) return null;
  const [low, high] = interval;
  return (
    <>
      <svg viewBox="0 0 160 18" width="160" height="18" aria-hidden="true">
        <rect class="whisker-ground" width="160" height="18" rx="4" />
        <rect class="whisker-rate" width={160 * rate} height="18" rx="4" />
        <path class="whisker-line" d={`M${160 * low} 9H${160 * high}M${160 * low} 4v10M${160 * high} 4v10`} />
      </svg>
      {percent(rate)} <Range interval={interval} />
    </>
  );
}
