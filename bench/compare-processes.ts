import { CASES } from './cases';
import { tableOf } from './report';
import { playRounds } from './rounds';
import { startService } from './servers';
import type { Stage } from './stage';

/** The service as one process beside the service as several on one database: what another process adds. */
export async function compareProcesses(stage: Stage): Promise<string> {
  const { options, notify, postgres } = stage;
  notify('Starting Postgres and filling the service, twice');
  const one = await startService(stage, { name: 'one process' });
  const several = await startService(stage, { name: `${options.processes} processes`, processes: options.processes });
  for (const contestant of [one, several]) await contestant.measure(CASES[0], 1);
  return [
    tableOf(await playRounds([one, several], options, notify), one.name),
    '',
    `Medians of ${options.rounds} round(s) of ${options.seconds} s, on ${await postgres.version()}.`,
  ].join('\n');
}
