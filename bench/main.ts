import { type Case, CASES } from './cases';
import { type Contestant, HAND_WRITTEN, Service, SERVICE, startBare } from './contestant';
import type { LoadResult } from './generator';
import { conditionsOf, format, markdown, median, type Options, run } from './run';

/** All rounds of one contestant in one case. */
interface Series {
  case: Case;
  contestant: string;
  rounds: LoadResult[];
}

run({
  command: 'bench --',
  about: 'Measures the service, beside a server written by hand and a bare Fastify server that answers starts alike.',
  cases: CASES,
  async measure(options, postgres, processes) {
    const services: Service[] = [];
    for (const candidate of [SERVICE, HAND_WRITTEN, ...options.against])
      services.push(await Service.start(candidate, postgres, processes));
    const bare = await startBare(services[0], processes);
    const cases = CASES.filter(({ name }) => options.cases.includes(name));
    // Node compiles a server while it works; the first case should not pay for it.
    for (const service of services) await service.measure(cases[0], options.seconds);

    const all: Series[] = [];
    for (const one of cases) {
      all.push(...(await playRounds(one, [...services, ...(one.isAnsweredByBare ? [bare] : [])], options)));
      for (const service of services) await service.checkCounts();
    }
    const busy = Math.max(...all.flatMap(({ rounds }) => rounds.map((round) => round.busy * 100)));
    return [
      markdown(
        all.map((series) => rowOf(series, all)),
        2,
      ),
      '',
      conditionsOf(options, postgres),
      `The load generator used at most ${format(busy)} % of a core.`,
    ].join('\n');
  },
});

/**
 * Within a round the contestants take turns, and each round begins with another: a slow spell of the machine hits all.
 * Every other round goes backwards: measured right after the bare server, a service was 5 % slower than after its like.
 */
async function playRounds(one: Case, contestants: Contestant[], { rounds, seconds }: Options): Promise<Series[]> {
  const series = contestants.map(({ name }): Series => ({ case: one, contestant: name, rounds: [] }));
  for (let round = 0; round < rounds; round++) {
    const turns = contestants.map((_, turn) => (round + turn) % contestants.length);
    for (const index of round % 2 ? turns.toReversed() : turns) {
      const result = await contestants[index].measure(one, seconds);
      series[index].rounds.push(result);
      console.error(`${one.title}, round ${round + 1}: ${contestants[index].name} ${Math.round(result.perSecond)}/s`);
    }
  }
  return series;
}

/** A row of the table: medians over the rounds. */
function rowOf(series: Series, all: Series[]): Record<string, string> {
  const ofCase = all.filter((other) => other.case === series.case);
  const of = (measure: keyof LoadResult, { rounds } = series) => median(rounds.map((round) => round[measure]));
  const times = (measure: keyof LoadResult, isBaseline: (name: string) => boolean) => {
    const baseline = ofCase.find(({ contestant }) => isBaseline(contestant));
    const [own, other] = [of(measure), baseline && of(measure, baseline)];
    return own !== undefined && other !== undefined ? format(own / other, 2) : '';
  };
  const rates = series.rounds.map(({ perSecond }) => perSecond);
  const megabytes = of('rssBytes');
  return {
    case: ofCase[0] === series ? series.case.title : '',
    server: series.contestant,
    'per second': format(of('perSecond')),
    'lowest–highest': `${format(Math.min(...rates))}–${format(Math.max(...rates))}`,
    'p50 ms': format(of('p50'), 2),
    'p99 ms': format(of('p99'), 2),
    '× hand-written': times('perSecond', (name) => name === HAND_WRITTEN.name),
    '× against': times('perSecond', (name) => name.startsWith('against')),
    'server CPU µs': format(of('serverMicroseconds')),
    '× bare Fastify': times('serverMicroseconds', (name) => name === 'bare Fastify'),
    'Postgres CPU µs': format(of('postgresMicroseconds')),
    'RSS MB': format(megabytes && megabytes / 1e6),
  };
}
