import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../../settings/config';

/** The account that Postgres runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/** Accounts to run Postgres under, in order of preference. macOS has `_postgres`. */
const NAMES = ['postgres', '_postgres', 'node', 'nobody'];

/**
 * Postgres refuses to run as root, so root starts it under another account. undefined: this process is not root.
 * Throws a ConfigError if /etc/passwd has no such account.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = readFileSync('/etc/passwd', 'utf8');
  for (const name of NAMES) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd) ?? [];
    if (uid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new ConfigError(
    `Postgres does not run as root, and none of the accounts ${NAMES.join(', ')} exists. ` +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** The environment of a child process: messages in English, times in UTC, none of the service's secrets. */
export function processOptions(account?: Account) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  return { uid: account?.uid, gid: account?.gid, cwd: '/', env };
}

/** Runs a command under the account, and waits for it. `failure` is its error message, undefined if it succeeded. */
export function run(account: Account | undefined, command: string, ...args: string[]) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { ...processOptions(account), encoding: 'utf8' });
  const reason = error?.message ?? (stderr.trim().replaceAll('\n', '; ') || `status ${status}`);
  return { stdout, failure: status === 0 ? undefined : reason };
}

/** Where root keeps what the account of Postgres can't use in its original place. */
const SHARED_HOME = '/var/lib/retention-flow-service';

/** The folder in a data folder that the account of Postgres owns. */
export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Makes the data folder, an absolute path. As root, also chooses the account that runs Postgres, and another folder if
 * that account can't reach the data folder or could replace it; `notify` then gets one line. Data that exist stay where
 * they are, with the account that owns them. Throws a ConfigError if root can't work with them safely.
 */
export function placeData(askedFor: string, notify: (line: string) => void = () => {}) {
  // Node's own mkdir with `recursive` never returns for a path in /proc.
  const { failure } = run(undefined, 'mkdir', '-p', askedFor);
  if (failure) throw new ConfigError(`DATA_DIR ${askedFor} can't be used: ${failure}`);
  const account = unprivilegedAccount();
  if (!account) return { dataDir: askedFor, account };

  const asked = realpathSync(askedFor);
  const hash = createHash('sha256').update(askedFor).digest('hex').slice(0, 12);
  const elsewhere = join(SHARED_HOME, `data-${hash}`);
  const existing = [asked, elsewhere].find((dir) => existsSync(clusterHome(dir)));
  const isUsable = !run(account, 'test', '-x', asked).failure && !replaceableFolder(asked, account);
  const dataDir = existing ?? (isUsable ? asked : makeSharedFolder(elsewhere));
  const runner = existing ? ownerOf(existing, account) : account;
  if (dataDir === elsewhere) {
    const reason = `Postgres runs as uid ${runner.uid}, which can't reach ${askedFor} or could replace it`;
    notify(`The data are in ${elsewhere}: ${reason}`);
  }
  return { dataDir, account: runner };
}

/** Makes a folder that every account can read, whatever the umask of root is. */
export function makeSharedFolder(dir = SHARED_HOME): string {
  const { failure } = run(undefined, 'install', '-d', '-m', '755', SHARED_HOME, dir);
  if (failure) throw new ConfigError(`${dir} can't be made: ${failure}`);
  return dir;
}

/** The owner of data that exist. The account for new data may have changed since. */
function ownerOf(dataDir: string, account: Account): Account {
  const home = clusterHome(dataDir);
  const { uid, gid } = lstatSync(home);
  if (uid === 0) {
    const remedy = `Run: chown -R ${account.uid}:${account.gid} ${home}`;
    throw new ConfigError(`DATA_DIR ${dataDir} can't be used: root owns the data but can't run Postgres. ${remedy}`);
  }
  const folder = replaceableFolder(dataDir, { uid, gid });
  if (folder) {
    const danger = `uid ${uid} owns the data, runs Postgres, and could replace ${folder}`;
    const remedy = `Make ${folder} writable by root alone, or start the service as uid ${uid}.`;
    throw new ConfigError(`DATA_DIR ${dataDir} can't be used by root: ${danger}. ${remedy}`);
  }
  return { uid, gid };
}

/**
 * The first folder, upwards from a path without links, in which the account could replace the data folder or its
 * contents. Root must not work there: a link would lead its writes to any file of the machine.
 */
function replaceableFolder(dataDir: string, account: Account): string | undefined {
  for (let path = dataDir; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid === account.gid);
    // In a sticky folder such as /tmp an account can only replace what it owns.
    const isSticky = (mode & 0o1000) !== 0 && path !== dataDir;
    if (uid === account.uid || (isOpen && !isSticky)) return path;
    if (path === '/') return undefined;
  }
}
