import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../config';

/** The account that Postgres runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/** In order of preference. macOS has `_postgres`. */
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

/** For a child process: messages in English, times in UTC, and none of the service's secrets in the environment. */
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
