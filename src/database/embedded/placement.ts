import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../config';
import { Account, accountOf, refusal, unprivilegedAccount } from './account';
import { PostgresBinaries, program } from './binaries';

/** Where root puts what the account of Postgres cannot reach in its original place. */
const SHARED_HOME = '/var/lib/retention-flow-service';

/** Which folder holds the data, and who runs Postgres on it. */
export interface Placement {
  dataDir: string;
  /** undefined: our own. */
  account?: Account;
}

/** What Postgres owns of a data folder: its cluster and the password. The folder around it stays its owner's. */
export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Makes the folder and decides who runs Postgres on it. Data that exist decide first: they never seem to vanish
 * because permissions or the accounts of the machine have changed since.
 *
 * Root works only in folders that the account of Postgres can't exchange for others under its hands. Throws a ConfigError where
 * data exist in another.
 *
 * @param askedFor an absolute path
 * @param notify is told, in one line, that the data are kept elsewhere
 */
export function placeData(askedFor: string, notify: (line: string) => void): Placement {
  mkdirSync(askedFor, { recursive: true });
  const account = unprivilegedAccount();
  if (!account) return { dataDir: askedFor };

  const hash = createHash('sha256').update(askedFor).digest('hex').slice(0, 12);
  const elsewhere = join(SHARED_HOME, `data-${hash}`);

  const existing = [askedFor, elsewhere].find((dataDir) => existsSync(clusterHome(dataDir)));
  if (existing) {
    const runner = runnerOf(existing, account);
    if (existing === elsewhere) notify(movedTo(elsewhere, askedFor, runner));
    return { dataDir: realpathSync(existing), account: runner };
  }
  if (!refusal(account, 'test', '-x', askedFor) && !exchangeable(askedFor, account)) {
    return { dataDir: realpathSync(askedFor), account };
  }
  makePublicDir(SHARED_HOME);
  makePublicDir(elsewhere);
  notify(movedTo(elsewhere, askedFor, account));
  return { dataDir: elsewhere, account };
}

function movedTo(dataDir: string, askedFor: string, { name }: Account): string {
  return `The data of ${askedFor} are in ${dataDir}: the embedded Postgres runs under the account ${name}`;
}

/** The account that runs Postgres on data that exist: their owner. Data of root were restored from a backup, and are handed over. */
function runnerOf(dataDir: string, account: Account): Account {
  const home = clusterHome(dataDir);
  const { uid, gid } = lstatSync(home);
  const runner = uid === 0 ? account : accountOf(uid, gid);
  const folder = exchangeable(dataDir, runner);
  if (folder) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} can't be used by root: the account ${runner.name}, which runs Postgres, may change ${folder}. ` +
        `Give ${folder} to root, or start the service as ${runner.name}.`,
    );
  }
  if (uid === 0) handOver(home, account);
  return runner;
}

/** The folder on the way to this one, or itself, in which the account could put something else in the place of the next. */
function exchangeable(dataDir: string, account: Account): string | undefined {
  const dir = realpathSync(dataDir);
  for (let path = dir; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid === account.gid);
    // In a sticky folder, such as /tmp, everybody may only change what is their own.
    const isSticky = (mode & 0o1000) !== 0 && path !== dir;
    if (uid === account.uid || (isOpen && !isSticky)) return path;
    if (path === '/') return undefined;
  }
}

/** No server can be running on it: it would not be root's. The folder itself goes last, until then nobody gets in. */
function handOver(home: string, { uid, gid }: Account): void {
  if (!lstatSync(home).isDirectory())
    throw new ConfigError(`DATA_DIR ${dirname(home)} can't be used by root: ${home} is no folder`);
  chmodSync(home, 0o700);
  const entries = readdirSync(home).map((entry) => join(home, entry));
  if (entries.length > 0) execFileSync('chown', ['-Rh', `${uid}:${gid}`, ...entries]);
  lchownSync(home, uid, gid);
}

/**
 * The folder of binaries that the account can run: the installed one, or else a copy of it, made once.
 * Throws a ConfigError where they run nowhere, for example without the C library that they were built for.
 */
export function placeBinaries(binaries: PostgresBinaries, account: Account | undefined): string {
  const installed = binaries.root;
  assertRuns(installed, undefined);
  if (!account || !refusal(account, program(installed, 'postgres'), '--version')) return installed;

  const copy = join(SHARED_HOME, `postgres-${binaries.version}`);
  if (!existsSync(copy)) copyBinaries(installed, copy);
  assertRuns(copy, account);
  return copy;
}

/** Root's own umask may be strict, the account has to get through. */
function makePublicDir(dir: string): void {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
}

function copyBinaries(from: string, to: string): void {
  makePublicDir(SHARED_HOME);
  const unfinished = mkdtempSync(`${to}-`);
  try {
    cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'a+rX', unfinished]);
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was quicker.
    if (!existsSync(to)) throw error;
  }
}

function assertRuns(root: string, account: Account | undefined): void {
  const postgres = program(root, 'postgres');
  const reason = refusal(account, postgres, '--version');
  if (!reason) return;
  const who = account ? ` under the account ${account.name}` : '';
  throw new ConfigError(
    `The embedded Postgres (${postgres}) does not run on this machine${who}: ${reason}. ` +
      'Set DATABASE_URL to use a PostgreSQL server of your own.',
  );
}
