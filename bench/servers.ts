import { join } from 'node:path';
import { requestsOf } from './cases';
import type { Server } from './children';
import { type Books, HttpContestant } from './contestant';
import { fillHandwritten } from './handwritten/schema';
import { findPgbench, Pgbench, type PgbenchTarget } from './pgbench';
import { query } from './postgres';
import { ADMIN_API_KEY, fillService } from './service-fixture';
import type { Stage } from './stage';

/** The names by which servers are compared with one another. */
export const HANDWRITTEN = 'hand-written';
export const ECHO = 'echo';

/** As in production. */
export const SERVICE_ENV = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  DATABASE_POOL_SIZE: '10',
  ADMIN_API_KEY,
  // All of the load comes from one address.
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
};

interface ServiceSetup {
  name?: string;
  processes?: number;
  /** How many customers the starts name in turn; 0: they name none. */
  customers?: number;
  /** Is handed the database once it is filled. */
  prepare?: (databaseUrl: string) => Promise<void>;
}

export async function startService(
  { children, postgres, folder }: Stage,
  { name = 'service', processes = 1, customers = 0, prepare }: ServiceSetup = {},
): Promise<HttpContestant> {
  const databaseUrl = await postgres.createDatabase(name.replaceAll(/\W/g, '_'));
  const script = join(__dirname, '../src/main.js');
  const servers: Server[] = [];
  while (servers.length < processes) {
    servers.push(await children.serve(script, { ...SERVICE_ENV, DATABASE_URL: databaseUrl }));
  }
  const requests = requestsOf(await fillService(servers[0].url), customers);
  await prepare?.(databaseUrl);
  await query(databaseUrl, 'ANALYZE');
  const readBooks = () => booksOf(databaseUrl, 'flow_sessions');
  return new HttpContestant(name, servers, children, folder, requests, readBooks);
}

export async function startHandwritten({ children, postgres, folder }: Stage): Promise<HttpContestant> {
  const databaseUrl = await postgres.createDatabase('handwritten');
  const requests = requestsOf(await fillHandwritten(databaseUrl));
  await query(databaseUrl, 'ANALYZE');
  const script = join(__dirname, 'handwritten/server.js');
  const server = await children.serve(script, { NODE_ENV: 'production', DATABASE_URL: databaseUrl });
  const readBooks = () => booksOf(databaseUrl, 'sessions');
  return new HttpContestant(HANDWRITTEN, [server], children, folder, requests, readBooks);
}

export async function startEcho({ children, folder }: Stage): Promise<HttpContestant> {
  const server = await children.serve(join(__dirname, 'echo.js'), SERVICE_ENV);
  const { startOnOne, startOnMany } = requestsOf({ hotSlug: 'a-slug', slugs: ['a-slug'], apiKey: '', flowId: '' });
  return new HttpContestant(ECHO, [server], children, folder, { startOnOne, startOnMany });
}

/** undefined where there is no pgbench. */
export async function preparePgbench({ children, postgres, folder, notify }: Stage): Promise<Pgbench | undefined> {
  const program = findPgbench();
  if (!program) {
    notify('pgbench is neither on the PATH nor in /usr/lib/postgresql: left out');
    return undefined;
  }
  const databaseUrl = await postgres.createDatabase('pgbench');
  const { hotSlug } = await fillHandwritten(databaseUrl);
  await query(databaseUrl, 'ANALYZE');
  const sql = `SELECT workspace_id, id AS flow_id FROM flows WHERE slug = '${hotSlug}'`;
  const [target] = await query<PgbenchTarget>(databaseUrl, sql);
  return new Pgbench(program, children, databaseUrl, folder, target);
}

async function booksOf(databaseUrl: string, sessions: string): Promise<Books> {
  const sql = `
    SELECT (SELECT count(*) FROM ${sessions})::integer AS rows,
      (SELECT sum(sessions_used) FROM workspaces)::integer AS counted`;
  const [books] = await query<Books>(databaseUrl, sql);
  return books;
}
