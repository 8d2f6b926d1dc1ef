import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../../config';

/** An account of this machine that is not root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', 'node', 'nobody'];

/**
 * The account to run Postgres under, which refuses to run as root; undefined where this process is not root.
 * Throws a ConfigError where root finds no account for it.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid!() !== 0) return undefined;
  const accounts = localAccounts();
  for (const name of CANDIDATES) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account) return account;
  }
  throw new ConfigError(
    `Postgres does not run as root, and there is no account ${CANDIDATES.join(', ')} to run it under. ` +
      'Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** The account of a uid, with the group that the caller saw beside it. */
export function accountOf(uid: number, gid: number): Account {
  const name = localAccounts().find((account) => account.uid === uid)?.name ?? `uid ${uid}`;
  return { name, uid, gid };
}

/**
 * Options for a child process that belongs to Postgres: whose it is and a bare environment, so that messages are in
 * English, times in UTC, and none of the service's secrets reach another account.
 */
export function processOptions(account: Pick<Account, 'uid' | 'gid'> | undefined): {
  uid?: number;
  gid?: number;
  env: NodeJS.ProcessEnv;
} {
  return { uid: account?.uid, gid: account?.gid, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
}

/** Why the account (undefined: our own) cannot run the command, or undefined where it can: by trying. */
export function refusal(account: Account | undefined, command: string, ...args: string[]): string | undefined {
  const { error, status, stderr } = spawnSync(command, args, {
    ...processOptions(account),
    cwd: '/',
    encoding: 'utf8',
  });
  if (error) return error.message;
  return status === 0 ? undefined : stderr.trim() || `status ${status}`;
}

function localAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, name, uid, gid] = /^([^:]+):[^:]*:(\d+):(\d+):/.exec(line) ?? [];
    return name ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
