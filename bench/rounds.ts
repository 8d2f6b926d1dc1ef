import { type Case, CASES } from './cases';
import type { Contestant } from './contestant';
import type { Options } from './run';
import type { Series } from './table';

/** Measures every contestant in every case. */
export async function measureAll(cases: Case[], contestants: Contestant[], options: Options): Promise<Series[]> {
  // Node compiles a server while it works; the first case should not pay for it.
  const session = CASES.find(({ unit }) => unit === 'walk')!;
  for (const contestant of contestants) await contestant.measure(session, options.seconds);

  const all: Series[] = [];
  for (const one of cases) {
    all.push(...(await playRounds(one, contestants, options)));
    for (const contestant of contestants) await contestant.checkCounts();
  }
  return all;
}

/** Within a round the contestants take turns, and each round begins with another: a slow spell of the machine hits all. */
async function playRounds(one: Case, contestants: Contestant[], { rounds, seconds }: Options): Promise<Series[]> {
  const series = contestants.map(({ name }): Series => ({ case: one, contestant: name, rounds: [] }));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const index = (round + turn) % contestants.length;
      const result = await contestants[index].measure(one, seconds);
      series[index].rounds.push(result);
      console.error(`${one.title}, round ${round + 1}: ${contestants[index].name} ${Math.round(result.perSecond)}/s`);
    }
  }
  return series;
}
