import { write, writeSync } from 'node:fs';

const STDOUT = 1;
/** So long a line waits at most for others to go with it, and so many bytes of them do not wait. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 4096;
/** When so many bytes are waiting, further lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;
/** What could not be written is tried again after so long. */
const RETRY_MS = 5;
/** What is left when the process ends is given up after so long. */
const EXIT_MS = 900;

/**
 * Standard output. Writing to it never throws and never waits, whether its reader is slow, has stopped or is gone, or its disk is full.
 * Lines that can't be written wait, 8 MiB of them, and follow when they can be.
 */
export class Output {
  /** Asking makes a pipe non-blocking. A thread that a full pipe blocks would keep the process from ending. */
  readonly isTerminal = process.stdout.isTTY;
  private lines = '';
  /** Taken from the lines to be written; its first bytes may be under way. */
  private chunk = Buffer.alloc(0);
  private isWriting = false;
  private timer?: NodeJS.Timeout;

  constructor() {
    process.once('exit', () => this.writeRest());
  }

  write(line: string): void {
    if (this.lines.length + line.length > MAX_WAITING) return;
    this.lines += line;
    if (this.lines.length < FLUSH_BYTES) this.flushAfter(FLUSH_MS);
    else if (this.chunk.length === 0) this.flush();
  }

  private flushAfter(ms: number): void {
    this.timer ??= setTimeout(() => this.flush(), ms).unref();
  }

  /** Begins to write what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting) return;
    this.takeLines();
    if (this.chunk.length === 0) return;
    this.isWriting = true;
    write(STDOUT, this.chunk, (error, written) => {
      this.isWriting = false;
      this.chunk = this.chunk.subarray(error ? 0 : written);
      if (error) this.flushAfter(RETRY_MS);
      else if (this.chunk.length > 0 || this.lines.length >= FLUSH_BYTES) this.flush();
      else if (this.lines.length > 0) this.flushAfter(FLUSH_MS);
    });
  }

  private takeLines(): void {
    if (this.chunk.length > 0) return;
    this.chunk = Buffer.from(this.lines);
    this.lines = '';
  }

  /** What is under way is the system's. */
  private writeRest(): void {
    if (this.isWriting) this.chunk = Buffer.alloc(0);
    const start = performance.now();
    for (this.takeLines(); this.chunk.length > 0; this.takeLines()) {
      try {
        this.chunk = this.chunk.subarray(writeSync(STDOUT, this.chunk));
      } catch (error) {
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFull || performance.now() - start > EXIT_MS) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }
}
