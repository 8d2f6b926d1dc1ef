import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const EXAMPLES = resolve(__dirname, '../../../examples');

/** A program of examples/, started as its reader does. */
export class Program {
  private static readonly running = new Set<Program>();

  output = '';
  /** Resolves with the exit code, or with the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  private readonly child: ChildProcess;

  constructor(file: string, args: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [resolve(EXAMPLES, file), ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.ended = once(this.child, 'close').then(([code, signal]: (number | string | null)[]) => (code ?? signal)!);
    Program.running.add(this);
    void this.ended.then(() => Program.running.delete(this));
  }

  /** For the end of a test, however it ended. */
  static async killAll(): Promise<void> {
    await Promise.all([...Program.running].map((program) => program.kill()));
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
