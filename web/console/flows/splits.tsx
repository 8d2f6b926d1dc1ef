import type { Flow, RetentionFlow } from '@retention-flow/client';
import { useState } from 'preact/hooks';
import { useSession } from '../shell/session';
import { Badge } from '../ui/badge';
import { points } from '../ui/change';
import { count, money, percent } from '../ui/format';
import { Loaded, useLoading } from '../ui/loading';
import { numberColumn, Table } from '../ui/table';
import { EndTest } from './end-test';
import {
  type Arm,
  doubtsOf,
  endedBy,
  goesOn,
  knownOf,
  laterOf,
  type Split,
  weightShare,
  winnerOf,
  wordsOf,
} from './experiment';

interface SplitsProps {
  flow: Flow;
  onChange: () => Promise<void>;
}

/** Experiments: how the arms of each split do, since they were last changed. Those that go on are first. */
export function Splits({ flow, onChange }: SplitsProps) {
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
            {splits
              .toSorted((a, b) => Number(days.has(nameOf(b))) - Number(days.has(nameOf(a))))
              .map((split) => (
                <Experiment
                  key={nameOf(split)}
                  flow={flow}
                  split={split}
                  splits={splits}
                  days={days.get(nameOf(split))}
                  onChange={onChange}
                />
              ))}
            <p class="soft">
              Each customer who came counts once, by what they decided last in this flow; those who closed the window
              are neither saved nor canceled. Money is what they paid before; “after offers” is what is left of it in
              the year from then.
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
  const goOn = splits.filter((split) => goesOn(split, splits, flow));
  const age = (since: string) => Math.max(1, (Date.now() - Date.parse(since)) / 86_400_000);
  return { splits, days: new Map(goOn.map((split) => [nameOf(split), age(split.since)])) };
}

function nameOf({ node_key, from_version }: Split): string {
  return `${node_key} ${from_version}`;
}

interface ExperimentProps {
  flow: Flow;
  split: Split;
  splits: Split[];
  /** Since it began; undefined if it is over. */
  days: number | undefined;
  onChange: () => Promise<void>;
}

function Experiment({ flow, split, splits, days, onChange }: ExperimentProps) {
  const { mayWrite } = useSession();
  const [isEnding, setIsEnding] = useState(false);
  const { node_key, from_version, to_version, arms, pairs } = split;
  const winner = laterOf(split, splits) ? undefined : endedBy(split, flow);
  const versions = from_version === to_version ? `version ${to_version}` : `versions ${from_version} to ${to_version}`;
  return (
    <div class="split">
      <div class="card-head">
        <h3>
          {node_key} <span class="soft">{versions}</span>
        </h3>
        {days === undefined && <Badge status="ended" />}
        {days !== undefined && mayWrite && (
          <button type="button" class="quiet" aria-label={`End the test ${node_key}`} onClick={() => setIsEnding(true)}>
            End the test
          </button>
        )}
      </div>
      <p>{knownOf(split, days)}</p>
      {winner !== undefined && <p>The test ended: now everybody gets “{winner}”.</p>}
      {pairs && pairs.length > 1 && (
        <ul>
          {pairs.map((pair) => (
            <li key={`${pair.a} ${pair.b}`}>{wordsOf(pair)}</li>
          ))}
        </ul>
      )}
      {doubtsOf(split, splits).map((doubt) => (
        <p key={doubt} class="notice warning">
          {doubt}
        </p>
      ))}
      {arms && <Arms arms={arms} best={winnerOf(split)} caption={`Arms of ${node_key}, ${versions}`} />}
      {isEnding && <EndTest flow={flow} split={split} onEnded={onChange} onClose={() => setIsEnding(false)} />}
    </div>
  );
}

function Arms({ arms, best, caption }: { arms: Arm[]; best: string | undefined; caption: string }) {
  const hasControl = arms.some(({ control }) => control);
  const hasValue = arms.some(({ value }) => value.length > 0);
  const hasLasting = arms.some(({ lasting: [month] }) => month.stay !== null);
  return (
    <Table
      label={caption}
      caption={`${caption}, with the intervals of their rates`}
      columns={[
        'Arm',
        numberColumn('Customers'),
        'Saved',
        'Canceled',
        hasControl && numberColumn('Canceled, against control'),
        hasValue && numberColumn('Money kept of each customer'),
        hasLasting && numberColumn('Of those saved, stay 30 days'),
      ]}
    >
      <tbody>
        {arms.map((arm) => (
          <tr key={arm.name}>
            <td class="name">
              {arm.name}
              {arm.control && <span class="soft"> control</span>}{' '}
              {arm.name === best && <span class="badge good">best</span>}
              <div class="soft range">gets {percent(weightShare(arm, arms))}</div>
            </td>
            <td class="number">{count(arm.customers)}</td>
            {(['saved', 'canceled'] as const).map((part) => (
              <td key={part} class={`whisker ${part}`}>
                <Whisker rate={arm.rates[part]} interval={arm.interval[part]} />
              </td>
            ))}
            {hasControl && <td class="number">{arm.lift && <AgainstControl lift={arm.lift} />}</td>}
            {hasValue && (
              <td class="number">
                <Worth arm={arm} />
              </td>
            )}
            {hasLasting && (
              <td class="number">
                <Lasts lasting={arm.lasting[0]} />
              </td>
            )}
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

/**
 * Where it probably is what an arm keeps of each customer who came, a month: arms have different numbers of them. The
 * figure alone would often look like a difference where there is none.
 */
function Worth({ arm: { value } }: { arm: Arm }) {
  return (
    <>
      {value.map(({ currency, verified, mean, interval, saved, net }) => (
        <div key={`${currency} ${verified}`}>
          {interval ? `${money(interval[0], currency)} to ${money(interval[1], currency)}` : 'Too few yet'}
          {currency === null && <span class="soft"> estimated</span>}
          <span class="range soft">
            {mean !== null && `${money(mean, currency)} now`}
            {net !== null && net !== saved && `, ${money(net, currency)} of ${money(saved, currency)} after offers`}
          </span>
        </div>
      ))}
    </>
  );
}

function Lasts({ lasting: { stay, interval } }: { lasting: Arm['lasting'][number] }) {
  if (stay === null) return '–';
  return (
    <>
      {percent(stay)} <Range interval={interval} />
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
