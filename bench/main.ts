import { CASES } from './cases';
import { type Candidate, Contestant, HAND_WRITTEN, SERVICE } from './contestant';
import { measureAll } from './rounds';
import { conditionsOf, run } from './run';
import { generatorBusy, tableOf } from './table';

run({
  command: 'bench',
  about: 'Compares the service with a hand-written server on one Postgres, in turn.',
  cases: CASES,
  async measure(options, postgres, processes) {
    const baselines: Candidate[] = [HAND_WRITTEN, options.against ?? []].flat();
    const contestants: Contestant[] = [];
    for (const candidate of [SERVICE, ...baselines]) {
      contestants.push(await Contestant.start(candidate, postgres, processes));
    }
    const cases = CASES.filter(({ name }) => options.cases.includes(name));
    const all = await measureAll(cases, contestants, options);
    return [
      tableOf(all, baselines),
      '',
      conditionsOf(options, postgres),
      `The load generator used at most ${generatorBusy(all)} % of a core.`,
    ].join('\n');
  },
});
