import { CASES } from '../cases';
import { Contestant } from '../contestant';
import { measureAll } from '../rounds';
import { conditionsOf, type Options, run } from '../run';
import { generatorBusy, tableOf } from '../table';
import type { Postgres } from '../postgres';
import type { ChildProcesses } from '../processes';
import { measureBacklog } from './backlog';
import { NO_WEBHOOK, senders } from './senders';

const BACKLOG = {
  name: 'backlog',
  title: '10,000 deliveries that wait, to 1 and to 1,000 webhooks, by 1 and by 2 processes',
};
const LOADS = CASES.filter(({ name }) => ['start-hot', 'start-many', 'session'].includes(name));

async function measureLoads(options: Options, postgres: Postgres, processes: ChildProcesses): Promise<string> {
  const cases = LOADS.filter(({ name }) => options.cases.includes(name));
  if (cases.length === 0) return '';
  const contestants: Contestant[] = [];
  for (const candidate of [await senders(processes), options.against ?? []].flat()) {
    contestants.push(await Contestant.start(candidate, postgres, processes));
  }
  const all = await measureAll(cases, contestants, options);
  return `${tableOf(all, [NO_WEBHOOK])}\n\nThe load generator used at most ${generatorBusy(all)} % of a core.\n`;
}

run({
  command: 'bench:events',
  about: 'Measures what events cost: starts and sessions while events are sent, and the sending of events that wait.',
  cases: [...LOADS, BACKLOG],
  async measure(options, postgres, processes) {
    const backlog = options.cases.includes(BACKLOG.name) ? await measureBacklog(options, postgres, processes) : '';
    const loads = await measureLoads(options, postgres, processes);
    return [loads, backlog && `${backlog}\n`, conditionsOf(options, postgres)].filter(Boolean).join('\n');
  },
});
