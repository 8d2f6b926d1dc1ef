import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
  const dataDir = existing ?? (refusal(account, 'test', '-x', askedFor) ? elsewhere : askedFor);
  const runner = existing ? ownerOf(clusterHome(existing), account) : account;
  if (dataDir === elsewhere) {
    makePublicDir(SHARED_HOME);
    makePublicDir(elsewhere);
    notify(`The data of ${askedFor} are in ${elsewhere}: the embedded Postgres runs under the account ${runner.name}`);
  }
  return { dataDir, account: runner };
}

/**
 * The folder of binaries that the account can run: the installed one, or else a copy of it, made once.
 * Throws an Error where they run nowhere, for example without the C library that they were built for.
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

function ownerOf(home: string, account: Account): Account {
  const { uid, gid } = statSync(home);
  if (uid !== 0) return accountOf(uid, gid);
  // Restored from a backup by root. No server can be running on it: it would not be root's.
  execFileSync('chown', ['-Rh', `${account.uid}:${account.gid}`, home]);
  return account;
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
  throw new Error(
    `The embedded Postgres (${postgres}) does not run on this machine${who}: ${reason}. ` +
      'Set DATABASE_URL to use a PostgreSQL server of your own.',
  );
}
