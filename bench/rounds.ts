import { CASES, type Case } from './cases';
import type { Contestant, Measurement } from './contestant';

/** All measurements of one contestant in one case, a round each. */
export interface Series {
  case: Case;
  contestant: string;
  rounds: Measurement[];
}

/**
 * Measures everyone in every case. They take turns within a round and another one begins in each, so that a slow spell
 * of the machine hits all alike; who has no turn is idle.
 */
export async function playRounds(
  contestants: Contestant[],
  { seconds, rounds }: { seconds: number; rounds: number },
  notify: (line: string) => void,
): Promise<Series[]> {
  const all: Series[] = [];
  for (const one of CASES) {
    const taking = contestants.filter((contestant) => contestant.takesPart(one));
    const series = taking.map(({ name }): Series => ({ case: one, contestant: name, rounds: [] }));
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < taking.length; turn++) {
        const index = (round + turn) % taking.length;
        const measurement = await taking[index].measure(one, seconds);
        series[index].rounds.push(measurement);
        notify(`${one.name}, round ${round + 1}: ${taking[index].name} ${Math.round(measurement.perSecond)}/s`);
      }
    }
    all.push(...series);
  }
  return all;
}

/** How many seconds `playRounds` takes, roughly. */
export function estimateSeconds({ seconds, rounds }: { seconds: number; rounds: number }): number {
  const contestants = 4;
  const overhead = 3;
  return CASES.length * contestants * rounds * (seconds + overhead);
}
