import { accessSync, constants, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Case } from './cases';
import type { Children } from './children';
import type { Contestant, Measurement } from './contestant';
import { WARMUP_SECONDS } from './drive';
import { query } from './postgres';

const DEBIAN = '/usr/lib/postgresql';

/** The flow that it starts sessions on, and whose workspace counts them. */
export interface PgbenchTarget {
  workspace_id: string;
  flow_id: string;
}

/** One start in one statement: the increment locks the counter's row, the session comes of what it returns. */
const statement = ({ workspace_id, flow_id }: PgbenchTarget) =>
  `
  WITH counted AS (
    UPDATE workspaces SET sessions_used = sessions_used + 1
    WHERE id = '${workspace_id}' AND sessions_used < session_limit
    RETURNING id
  )
  INSERT INTO sessions (id, workspace_id, flow_id, flow_version, status, current_node_key)
  SELECT gen_random_uuid(), id, '${flow_id}', 1, 'in_progress', 'start' FROM counted;
`;

/** Where pgbench is, or undefined. npm brings a Postgres without it. */
export function findPgbench(): string | undefined {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debian];
  return folders.map((folder) => join(folder, 'pgbench')).find(isExecutable);
}

/**
 * Postgres by itself, without a server in front of it: one statement for each start, all on the row of one workspace.
 * What a transaction for each request can reach at best.
 */
export class Pgbench implements Contestant {
  readonly name = 'pgbench, one statement';
  private readonly script: string;

  constructor(
    private readonly program: string,
    private readonly children: Children,
    private readonly databaseUrl: string,
    folder: string,
    target: PgbenchTarget,
  ) {
    this.script = join(folder, 'pgbench.sql');
    writeFileSync(this.script, statement(target));
  }

  takesPart({ ask, connections }: Case): boolean {
    return ask === 'startOnOne' && connections === 64;
  }

  async measure({ connections }: Case, seconds: number): Promise<Measurement> {
    const args = ['--no-vacuum', '--protocol=prepared', `--client=${connections}`, '--jobs=2'];
    // It has no warm-up of its own: the first second counts for less in a longer run.
    args.push(`--time=${seconds + WARMUP_SECONDS}`, `--file=${this.script}`, this.databaseUrl);
    const printed = await this.children.run(this.program, args);
    const [, perSecond] = /^tps = ([\d.]+)/m.exec(printed) ?? [];
    if (!perSecond) throw new Error(`pgbench printed no tps:\n${printed}`);
    await this.checkBooks();
    return { perSecond: Number(perSecond) };
  }

  private async checkBooks(): Promise<void> {
    const [{ exact }] = await query<{ exact: boolean }>(
      this.databaseUrl,
      'SELECT (SELECT count(*) FROM sessions) = (SELECT sum(sessions_used) FROM workspaces) AS exact',
    );
    if (!exact) throw new Error('pgbench: the counter is not the number of sessions');
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
