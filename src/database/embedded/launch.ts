import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, ClientConfig, DatabaseError } from 'pg';
import { ConfigError } from '../../config';
import { Account } from './account';
import { Cluster, DATABASE } from './cluster';
import { ServerProcess, spawnServer } from './server-process';

const START_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 50;
/** The server of a service that was killed needs a moment to stop; so long may the next one wait for it. */
const IN_USE_PATIENCE_MS = 5_000;
const PORT_ATTEMPTS = 5;
const LAST_LINES = 10;

/** What Postgres prints where the cluster has a server, or leftovers of one that are still alive. */
const IN_USE = /FATAL: +(lock file "postmaster\.pid" already exists|pre-existing shared memory block)/;
const IN_USE_PID = /\(PID (\d+)\)/;
const PORT_TAKEN = /could not bind IPv4 address/;
const CANNOT_CONNECT_NOW = '57P03';

/** Another server works on the data folder. */
export class DataDirInUseError extends ConfigError {
  constructor(dataDir: string, pid: string | undefined) {
    super(`DATA_DIR ${dataDir} is in use by another process${pid ? ` (pid ${pid})` : ''}`);
  }
}

/** A server that accepts connections. */
export interface RunningServer {
  process: ServerProcess;
  /** How to connect to it, apart from the name of the database. */
  connection: ClientConfig & { port: number };
}

/**
 * Starts Postgres on a cluster, on a port of the loopback interface that is free, and waits until it accepts
 * connections. Throws a DataDirInUseError where the cluster has a server, and otherwise a ConfigError with the reason that
 * Postgres gave.
 *
 * @param settings configuration parameters of Postgres, over those of its postgresql.conf
 */
export async function launch(options: {
  dataDir: string;
  cluster: Cluster;
  postgres: string;
  account?: Account;
  logFile: string;
  settings: Record<string, string>;
}): Promise<RunningServer> {
  const { dataDir, cluster, postgres, account, logFile, settings } = options;
  const patienceEnds = Date.now() + IN_USE_PATIENCE_MS;
  let portAttempts = 0;
  for (;;) {
    const port = await freePort();
    const all = { ...settings, listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawnServer(postgres, ['-D', cluster.dir, ...args], logFile, account);
    const connection = { host: '127.0.0.1', port, user: DATABASE, password: cluster.password, ssl: false };
    try {
      await untilReady(server, connection);
      return { process: server, connection };
    } catch (error) {
      await server.stop();
      const log = readFileSync(logFile, 'utf8');
      // Only Postgres itself can say whose the cluster is, and it says so before it touches anything.
      if (IN_USE.test(log)) {
        if (Date.now() > patienceEnds) throw new DataDirInUseError(dataDir, IN_USE_PID.exec(log)?.[1]);
        await sleep(POLL_MS);
      } else if (!PORT_TAKEN.test(log) || ++portAttempts === PORT_ATTEMPTS) {
        throw new ConfigError(
          `DATA_DIR ${dataDir} can't be used: the embedded Postgres did not start ` +
            `(${(error as Error).message}): ${reasonIn(log)} (postgres.log has the rest)`,
          { cause: error },
        );
      }
    }
  }
}

/** What ended the server; else, as where it can't even load its libraries, the last that it said. */
function reasonIn(log: string): string {
  const lines = log.trimEnd().split('\n');
  const fatal = lines.findLast((line) => /(FATAL|PANIC): /.test(line));
  return (fatal ?? lines.at(-1)!).replace(/^.*?(FATAL|PANIC): +/, '');
}

/** The end of a log, for an error message. */
export function lastLines(log: string): string {
  return log.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}

async function untilReady(server: ServerProcess, connection: ClientConfig): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.isRunning()) {
    try {
      const client = new Client({ ...connection, database: 'postgres', connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      // An answer other than "not yet" is final: a password that does not fit, for example.
      const final = error instanceof DatabaseError && error.code !== CANNOT_CONNECT_NOW;
      if (final || Date.now() > deadline) throw error;
    }
    await Promise.race([server.exited, sleep(POLL_MS)]);
  }
  throw new Error(await server.exited);
}

/** Somebody else may take the port before Postgres does. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
