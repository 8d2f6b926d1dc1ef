import { CASES, startsSessions } from './cases';
import type { HttpContestant } from './contestant';
import { query } from './postgres';
import { markdown, medianOf, quartilesOf } from './report';
import { startService } from './servers';
import type { Stage } from './stage';

/** Sessions are read by indexes of this name; those of constraints are not among them. */
const READING_INDEXES = `SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'flow_sessions_by_%'`;

/** One index is of customers: starts that name none would not pay for it. */
const CUSTOMERS = 1000;

/**
 * What the indexes that sessions are read by cost a start: the service with and without them, in turn. A difference of a few
 * percent is smaller than the noise between two measurements, so each pair is compared by itself, and pairs are many.
 */
export async function weighIndexes(stage: Stage): Promise<string> {
  const { options, notify, postgres } = stage;
  notify('Starting Postgres and filling the service, twice');
  const indexed = await startService(stage, { name: 'indexed', customers: CUSTOMERS });
  const bare = await startService(stage, { name: 'bare', customers: CUSTOMERS, prepare: dropReadingIndexes });
  const rows: string[][] = [];
  for (const one of CASES.filter(startsSessions)) {
    const pairs: { indexed: number; bare: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const rate = async (service: HttpContestant) => (await service.measure(one, options.seconds)).perSecond;
      const first = await rate(round % 2 ? bare : indexed);
      const second = await rate(round % 2 ? indexed : bare);
      const pair = round % 2 ? { indexed: second, bare: first } : { indexed: first, bare: second };
      notify(`${one.name}, pair ${round + 1}: ${Math.round(pair.indexed)}/s, without ${Math.round(pair.bare)}/s`);
      pairs.push(pair);
    }
    const ratios = pairs.map((pair) => pair.indexed / pair.bare);
    const [low, high] = quartilesOf(ratios);
    rows.push([
      one.name,
      Math.round(medianOf(pairs.map((pair) => pair.indexed))!).toLocaleString('en-US'),
      Math.round(medianOf(pairs.map((pair) => pair.bare))!).toLocaleString('en-US'),
      medianOf(ratios)!.toFixed(3),
      `${low.toFixed(3)}–${high.toFixed(3)}`,
    ]);
  }
  return [
    markdown([['case', 'starts/s', 'without the indexes', 'ratio of a pair', 'its quartiles'], ...rows], 1),
    '',
    `Medians of ${options.rounds} pair(s) of ${options.seconds} s each, on ${await postgres.version()}.`,
  ].join('\n');
}

async function dropReadingIndexes(databaseUrl: string): Promise<void> {
  const indexes = await query<{ name: string }>(databaseUrl, READING_INDEXES);
  if (indexes.length === 0) throw new Error('There are no indexes to weigh');
  await query(databaseUrl, `DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
}
