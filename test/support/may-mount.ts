import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether tests may mount a small disk to fill it. Root may, but not in every container. */
export function mayMount(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'may-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', dir]).status === 0;
  if (isMounted) execFileSync('umount', [dir]);
  rmSync(dir, { recursive: true });
  return isMounted;
}
