import type { FlowStats } from '@retention-flow/client';
import { count, percent } from '../ui/format';
import { verdict, type Way, weightShare } from './intervals';

type Split = FlowStats['splits'][number];

/** Experiments: how the ways of each split do. */
export function Splits({ splits }: { splits: Split[] }) {
  return (
    <section class="card">
      <h2>Splits</h2>
      {splits.map((split) => (
        <SplitTable key={`${split.node_key} ${split.from_version}`} split={split} />
      ))}
    </section>
  );
}

function SplitTable({ split: { node_key, from_version, to_version, ways } }: { split: Split }) {
  const versions = from_version === to_version ? `version ${to_version}` : `versions ${from_version} to ${to_version}`;
  return (
    <div class="split">
      <h3>
        {node_key} <span class="soft">{versions}</span>
      </h3>
      <p>{verdict(ways)}</p>
      <div class="table" tabIndex={0} role="region" aria-label={`Ways of ${node_key}`}>
        <table>
          <caption class="unseen">
            Ways of {node_key}, {versions}, with 95 % intervals of their rates
          </caption>
          <thead>
            <tr>
              <th scope="col">Way</th>
              <th scope="col" class="number">
                Weight
              </th>
              <th scope="col" class="number">
                Sessions
              </th>
              <th scope="col" class="number">
                Ended
              </th>
              <th scope="col" class="number">
                Accepted an offer
              </th>
              <th scope="col">95 % interval</th>
            </tr>
          </thead>
          <tbody>
            {ways.map((way) => (
              <WayRow key={way.name} way={way} ways={ways} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function WayRow({ way, ways }: { way: Way; ways: Way[] }) {
  const rate = way.save_rate.accepted_offer;
  const interval = way.interval.accepted_offer;
  return (
    <tr>
      <td class="name">{way.name}</td>
      <td class="number">{percent(weightShare(way, ways))}</td>
      <td class="number">{count(way.sessions)}</td>
      <td class="number">{count(way.ended)}</td>
      <td class="number">{percent(rate)}</td>
      <td class="whisker">
        {rate !== null && interval && (
          <>
            <Whisker rate={rate} low={interval[0]} high={interval[1]} />
            <span class="soft">
              {percent(interval[0])} to {percent(interval[1])}
            </span>
          </>
        )}
      </td>
    </tr>
  );
}

/** A bar as long as a rate, from 0 to 100 %, with the interval that the true one lies in. */
function Whisker({ rate, low, high }: { rate: number; low: number; high: number }) {
  return (
    <svg viewBox="0 0 200 18" width="200" height="18" aria-hidden="true">
      <rect class="whisker-ground" width="200" height="18" rx="4" />
      <rect class="whisker-rate" width={200 * rate} height="18" rx="4" />
      <path class="whisker-line" d={`M${200 * low} 9H${200 * high}M${200 * low} 4v10M${200 * high} 4v10`} />
    </svg>
  );
}
