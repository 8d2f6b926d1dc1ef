import { once } from 'node:events';
import { AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type ClientConfig, DatabaseError } from 'pg';
import { ConfigError } from '../../../settings/config';
import { withClient } from '../connection/client';
import { DATABASE, findBinaries, findPackage, openCluster, program } from './cluster';
import { clusterHome, placeData, run } from './placement';
import { ServerProcess, spawnServer } from './server-process';

/** A running Postgres server that belongs to this process. */
export interface EmbeddedPostgres {
  /** postgres://… of its database, as the superuser. Only this machine can connect. */
  url: string;
  /** Ends all connections and shuts the server down. Resolves when its process is gone. */
  stop(): Promise<void>;
  /** Resolves with the reason when the server has ended, after `stop` too. Never rejects. */
  lost: Promise<Error>;
}

/** How long a start waits for another server to leave the data folder, as the one of a killed service soon does. */
const RETRY_MS = 5_000;
const RETRY_PAUSE_MS = 250;
const POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;

/** Printed by Postgres if another server, or a surviving process of one, uses the cluster. */
const IN_USE = /FATAL: +(lock file "postmaster\.pid" already exists|pre-existing shared memory block)/;
const IN_USE_PID = /\(PID (\d+)\)/;
/** Another server is starting, or crashed while it did (PostgreSQL's hint for this error). */
const LOCK_FILE_EMPTY = /FATAL: +lock file "postmaster\.pid" is empty/;
const PORT_TAKEN = /could not bind IPv4 address/;
/** Lines of the log that say why the server did not start, not why it refused a connection meanwhile. */
const DID_NOT_START = /(FATAL|PANIC): (?!\s*the database system is )/;
/** A running server prints FATAL for each connection that it refuses or ends. */
const ENDED = /PANIC: /;
const CANNOT_CONNECT_NOW = '57P03';

/**
 * Starts the Postgres that npm installed, on a free loopback port. It ends with this process, even after `kill -9`.
 *
 * 1. placement.ts makes the data folder. As root, it chooses the account that Postgres runs under. 2. cluster.ts finds
 * the programs, and creates the database cluster on the first start. 3. server-process.ts starts the server. If another
 * one has the folder or the port, or is starting there, this is retried
 *    for 5 s.
 *
 * The data folder holds `postgres/` (cluster and password) and `postgres.log` (of all starts).
 *
 * Throws a ConfigError with one line if the folder is in use or can't be used, or if Postgres does not start.
 *
 * @param options.settings parameters of Postgres, such as `{ fsync: 'off' }`
 * @param options.notify gets one line if the data are kept in another folder
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  settings?: Record<string, string>;
  notify?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  // Before the data folder is made.
  const packageRoot = findPackage();
  const { dataDir, account } = placeData(resolve(options.dataDir), options.notify);
  const binaries = findBinaries(packageRoot, account);
  const { dir, password } = openCluster(dataDir, binaries, account, options.settings?.fsync !== 'off');
  const logFile = join(dataDir, 'postgres.log');

  const retryUntil = Date.now() + RETRY_MS;
  for (;;) {
    const port = await freePort();
    const settings = { ...options.settings, listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
    const args = ['-D', dir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const server = spawnServer(program(binaries, 'postgres'), args, logFile, account);
    try {
      await createDatabase(server, { host: '127.0.0.1', port, user: DATABASE, password, ssl: false });
      return {
        url: urlOf(password, port),
        stop: () => server.stop(),
        lost: server.exited.then(
          ({ how, log }) =>
            new Error(`The embedded Postgres ended (${how}): ${reasonIn(log, ENDED)} (more in ${logFile})`),
        ),
      };
    } catch (error) {
      await server.stop();
      const { log } = await server.exited;
      const isInUse = IN_USE.test(log);
      const mayPass = isInUse || LOCK_FILE_EMPTY.test(log) || PORT_TAKEN.test(log);
      if (mayPass && Date.now() < retryUntil) {
        await sleep(RETRY_PAUSE_MS);
        continue;
      }
      const pid = IN_USE_PID.exec(log)?.[1];
      const reason = isInUse
        ? `is in use by another service${pid ? ` (its Postgres has pid ${pid})` : ''}`
        : `can't be used: the embedded Postgres did not start (${(error as Error).message}): ${reasonIn(log, DID_NOT_START)} (more in ${logFile})`;
      throw new ConfigError(`DATA_DIR ${dataDir} ${reason}`, { cause: error });
    }
  }
}

/** The `url` of the Postgres that a running service has in a data folder. Throws a ConfigError if none runs there. */
export function runningEmbeddedPostgres(asked: string): string {
  const { dataDir, account } = placeData(resolve(asked));
  const home = clusterHome(dataDir);
  const { stdout: pidFile } = run(account, 'cat', join(home, 'cluster', 'postmaster.pid'));
  const { stdout: password } = run(account, 'cat', join(home, 'password'));
  // The fourth line (PostgreSQL, src/include/utils/pidfile.h).
  const port = pidFile.split('\n')[3];
  if (!port) throw new ConfigError(`DATA_DIR ${asked} has no running service: start it first`);
  return urlOf(password, port);
}

function urlOf(password: string, port: number | string): string {
  return `postgres://${DATABASE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** Waits for the server, without a deadline: crash recovery can take minutes. */
async function createDatabase(server: ServerProcess, connection: ClientConfig): Promise<void> {
  const config = { ...connection, database: 'postgres', connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const create = async (client: Client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  };
  for (;;) {
    try {
      return await withClient(config, create);
    } catch (error) {
      // Final, for example a wrong password.
      if (error instanceof DatabaseError && error.code !== CANNOT_CONNECT_NOW) throw error;
    }
    const exit = await Promise.race([server.exited, sleep(POLL_MS)]);
    if (exit) throw new Error(exit.how);
  }
}

/** The last line with a reason, or else the last line: a program that can't load its libraries prints no FATAL. */
function reasonIn(log: string, reason: RegExp): string {
  const lines = log.trimEnd().split('\n');
  return (lines.findLast((line) => reason.test(line)) ?? lines.at(-1)!).replace(/^.*?(FATAL|PANIC|LOG): +/, '');
}

/** Another process may take the port before Postgres does. The start then retries. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
