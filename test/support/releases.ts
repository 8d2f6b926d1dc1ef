import { execFileSync, spawnSync } from 'node:child_process';

const options = { cwd: __dirname, encoding: 'utf8', maxBuffer: 1e9 } as const;

export const git = (...args: string[]): string => execFileSync('git', args, options).trim();

/**
 * The newest tag of a release; undefined before the first one, and where there is no history: in a shallow clone, or
 * none.
 */
export function newestRelease(): string | undefined {
  const { stdout } = spawnSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], options);
  return stdout?.split('\n')[0] || undefined;
}
