import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../../src/platform/database/embedded/placement';

/** Room for an empty database and a few thousand rows. */
const SIZE = '64m';
const CHUNK = Buffer.alloc(64 * 1024);

/** A disk that a test can fill. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  /** Mounts a disk at the path for the account. Returns undefined if mounting is not allowed. */
  static mount(path: string, { uid, gid }: Account): SmallDisk | undefined {
    mkdirSync(path);
    try {
      const options = `size=${SIZE},mode=700,uid=${uid},gid=${gid}`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
      return new SmallDisk(path);
    } catch {
      return undefined;
    }
  }

  /** Writes until no space is left. */
  fill(): void {
    const file = openSync(this.filler, 'w');
    try {
      for (let bytes = CHUNK.length; bytes > 0;) bytes = writeSync(file, CHUNK, 0, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  clear(): void {
    rmSync(this.filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path]);
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}
