import { write, writeSync } from 'node:fs';
import { textOf } from './terminal-text';

const STDOUT = 1;
/** Lines are written together: after this time, or as soon as there are this many characters. */
const FLUSH_MS = 100;
const FLUSH_LENGTH = 16_384;
/** The most buffered characters. Beyond them, new lines are dropped. */
const MAX_BUFFERED = 8 * 1024 * 1024;
/** The pause before a failed write is tried again. */
const RETRY_MS = 5;
/** How long the exit of the process may wait for a full pipe. */
const EXIT_MS = 900;

/**
 * Standard output for the lines of the log: JSON, and in a terminal text. It never throws and never blocks, even if its
 * reader is slow, stopped or gone, or its disk is full. Up to 8 MiB of lines that can't be written yet are buffered.
 */
export class Output {
  /**
   * Reading `process.stdout` also makes a pipe non-blocking. A thread blocked by a full pipe would keep the process
   * alive.
   */
  private readonly isTerminal = process.stdout.isTTY;
  private lines = '';
  /** The bytes to write next, or being written. */
  private chunk = Buffer.alloc(0);
  private isWriting = false;
  private timer?: NodeJS.Timeout;

  constructor() {
    process.once('exit', () => this.writeRest());
  }

  write(json: string): void {
    const line = this.isTerminal ? textOf(json) : json;
    if (this.lines.length + line.length > MAX_BUFFERED) return;
    this.lines += line;
    if (this.lines.length < FLUSH_LENGTH) this.flushAfter(FLUSH_MS);
    else if (this.chunk.length === 0) this.flush();
  }

  private flushAfter(ms: number): void {
    this.timer ??= setTimeout(() => this.flush(), ms).unref();
  }

  /** Starts writing the buffered lines without waiting for more. */
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
      else if (this.chunk.length > 0 || this.lines.length >= FLUSH_LENGTH) this.flush();
      else if (this.lines.length > 0) this.flushAfter(FLUSH_MS);
    });
  }

  private takeLines(): void {
    if (this.chunk.length > 0) return;
    this.chunk = Buffer.from(this.lines);
    this.lines = '';
  }

  /** Skips a chunk whose write is in progress: the operating system already has it. */
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
