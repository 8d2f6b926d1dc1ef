import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../config';
import { processOptions } from './account';
import { program } from './binaries';
import { clusterHome, Placement } from './placement';

/** The name of both the superuser and the database. */
export const DATABASE = 'retention_flow';

/** Folders of this name hold what is unfinished: whatever a start that was killed leaves is not taken for data. */
const SCRATCH = 'starting-';
/** Far longer than a start takes. */
const SCRATCH_LIFETIME_MS = 3_600_000;
const INITDB_TIMEOUT_MS = 60_000;

/** A database cluster on disk. */
export interface Cluster {
  /** What Postgres calls its data directory. */
  dir: string;
  /** Of the superuser. */
  password: string;
}

/**
 * A new folder for the unfinished things of one start, in the data folder. The caller removes it. It stays ours: where the
 * account of Postgres could put a link in the place of a file, root would write, or give away, what the link leads to.
 */
export function makeScratch({ dataDir, account }: Placement): string {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(SCRATCH))) {
    const path = join(dataDir, name);
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > SCRATCH_LIFETIME_MS) removeScratch(path);
  }
  const scratch = mkdtempSync(join(dataDir, SCRATCH));
  // The account has to get through, and no further.
  if (account) chmodSync(scratch, 0o711);
  return scratch;
}

/** A folder of the account is emptied by the account: it could lead root out of it on the way. */
export function removeScratch(dir: string): void {
  const owner = lstatSync(dir, { throwIfNoEntry: false });
  if (!owner) return;
  if (owner.uid !== process.getuid!()) {
    spawnSync('rm', ['-rf', dir], { ...processOptions(owner), cwd: '/' });
  } else {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) removeScratch(path);
      else rmSync(path, { force: true });
    }
  }
  rmdirSync(dir);
}

/**
 * The cluster of a data folder, created on the first call. It appears with its password and in one step (a rename),
 * so that a kill or a power cut in the middle leaves none rather than half of one.
 *
 * @param durable false: does not wait for the disk
 */
export async function openCluster(
  placement: Placement,
  binaries: string,
  scratch: string,
  durable: boolean,
): Promise<Cluster> {
  const home = clusterHome(placement.dataDir);
  if (!existsSync(home)) await createCluster(placement, binaries, scratch, durable);
  return { dir: join(home, 'cluster'), password: readPassword(join(home, 'password')) };
}

/** It is the account's: what else it may have put there is neither followed nor waited for. */
function readPassword(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

async function createCluster(placement: Placement, binaries: string, scratch: string, durable: boolean): Promise<void> {
  const { dataDir, account } = placement;
  const home = clusterHome(dataDir);
  const unfinished = join(scratch, 'postgres');
  const passwordFile = join(unfinished, 'password');

  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600, flush: durable });
  // The folder last: from then on the account decides what is in it.
  if (account) for (const path of [passwordFile, unfinished]) lchownSync(path, account.uid, account.gid);

  const args = ['--pgdata', join(unfinished, 'cluster'), '--username', DATABASE];
  args.push('--auth=scram-sha-256', `--pwfile=${passwordFile}`);
  // The same order of text on every platform, and one that no upgrade of the system's libraries can change.
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!durable) args.push('--no-sync');
  const options = { ...processOptions(account), cwd: '/', timeout: INITDB_TIMEOUT_MS };
  try {
    await promisify(execFile)(program(binaries, 'initdb'), args, options);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr?.trim() || message).replaceAll('\n', '; ');
    throw new ConfigError(`DATA_DIR ${dataDir} can't be used: ${reason}`, { cause: error });
  }

  if (durable) syncDir(unfinished);
  try {
    renameSync(unfinished, home);
  } catch (error) {
    // A folder that is not empty stays as it is: another process was quicker. Which of the two serves it, Postgres says.
    if (!existsSync(join(home, 'password'))) throw error;
  }
  if (durable) syncDir(dataDir);
}

function syncDir(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
