import { CASES } from './cases';
import { driverBusyAtMost, tableOf } from './report';
import { playRounds } from './rounds';
import { requireSameShape } from './same-shape';
import { preparePgbench, startEcho, startHandwritten, startService } from './servers';
import type { Stage } from './stage';

/** Node compiles a server while it works; whoever is measured first should not pay for it. */
const WARM_UP = CASES.find(({ ask }) => ask === 'startOnMany')!;
const WARM_UP_SECONDS = 3;

/** The service beside the hand-written server, the echo and pgbench, side by side on one Postgres. */
export async function compareServers(stage: Stage): Promise<string> {
  const { options, notify, postgres } = stage;
  notify('Starting Postgres and filling the servers');
  const servers = [await startService(stage), await startHandwritten(stage), await startEcho(stage)];
  const pgbench = await preparePgbench(stage);
  for (const one of CASES) await requireSameShape(one, servers);
  for (const server of servers) await server.measure(WARM_UP, WARM_UP_SECONDS);

  const all = await playRounds([...servers, ...(pgbench ? [pgbench] : [])], options, notify);
  const busy = Math.round(driverBusyAtMost(all) * 100);
  return [
    tableOf(all),
    '',
    `Medians of ${options.rounds} round(s) of ${options.seconds} s, on ${await postgres.version()}. ` +
      `The load generator used at most ${busy} % of a core.`,
  ].join('\n');
}
