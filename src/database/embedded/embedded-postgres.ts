import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client, ClientConfig } from 'pg';
import { findBinaries, program } from './binaries';
import { DATABASE, makeScratch, openCluster, removeScratch } from './cluster';
import { DataDirInUseError, lastLines, launch } from './launch';
import { placeBinaries, placeData } from './placement';

export { DataDirInUseError };

/** A Postgres server of our own that runs. */
export interface EmbeddedPostgres {
  /** postgres://… of its database, as the superuser. Only this machine can connect. */
  url: string;
  /** Ends all connections and shuts the server down; resolves when it is gone. A second call waits for the same. */
  stop(): Promise<void>;
  /** Resolves with an Error of why when the server ends although nobody called `stop`. Otherwise never settles. */
  lost: Promise<Error>;
}

/**
 * Starts the Postgres that npm installed on the data of a folder, which the first start creates. The server ends with
 * this process, even if that is killed.
 *
 * In the folder: `postgres/` (the cluster and its password) and `postgres.log` (of the latest start).
 *
 * As root, Postgres runs under an unprivileged account, and what that account cannot reach is kept under /var/lib.
 *
 * Throws a DataDirInUseError when the folder has a server already, after some seconds in which it may be stopping,
 * and a ConfigError with what Postgres said when it does not start. Takes at most a few minutes.
 *
 * @param options.settings configuration parameters of Postgres, such as `{ fsync: 'off' }`
 * @param options.notify is told one line where the data are kept in another folder than the one asked for
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  settings?: Record<string, string>;
  notify?: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  const { settings = {}, notify = () => {} } = options;
  const installed = findBinaries();
  const placement = placeData(resolve(options.dataDir), notify);
  const { dataDir, account } = placement;
  const binaries = placeBinaries(installed, account);
  const scratch = makeScratch(placement);
  // The log of the server that has the folder is not ours to overwrite until that server is known to be our own.
  const newLog = join(scratch, 'postgres.log');
  const logFile = join(dataDir, 'postgres.log');
  try {
    const cluster = await openCluster(placement, binaries, scratch, settings.fsync !== 'off');
    const postgres = program(binaries, 'postgres');
    const server = await launch({ dataDir, cluster, postgres, account, logFile: newLog, settings });
    try {
      await createDatabase(server.connection);
    } catch (error) {
      await server.process.stop();
      throw error;
    }
    return {
      url: `postgres://${DATABASE}:${cluster.password}@127.0.0.1:${server.connection.port}/${DATABASE}`,
      stop: () => server.process.stop(),
      lost: new Promise((report) => {
        void server.process.exited.then((how) => {
          if (server.process.isStopping()) return;
          const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
          report(new Error(`The embedded Postgres has ended: ${how}\n${lastLines(log)}`));
        });
      }),
    };
  } catch (error) {
    if (error instanceof DataDirInUseError) rmSync(newLog, { force: true });
    throw error;
  } finally {
    if (existsSync(newLog)) renameSync(newLog, logFile);
    removeScratch(scratch);
  }
}

async function createDatabase(connection: ClientConfig): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  // A connection that breaks fails the query as well.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
