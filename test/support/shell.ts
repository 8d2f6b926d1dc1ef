import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** One bash for several commands, as in a terminal: a variable that one of them sets holds for those that follow. */
export class Shell {
  private readonly child = spawn('bash', ['-u'], { env: { PATH: process.env.PATH } });
  private readonly closed = once(this.child, 'close');
  private output = '';

  constructor() {
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stdin.write('exec 2>&1\n');
  }

  /** Resolves with all that the command printed; rejects when it ended the shell, as an unset variable does. */
  async run(command: string): Promise<string> {
    this.output = '';
    this.child.stdin.write(`${command}\nprintf '\\0'\n`);
    const ended = this.closed.then(() => {
      throw new Error(`The shell ended: ${this.output}`);
    });
    while (!this.output.endsWith('\0')) await Promise.race([once(this.child.stdout, 'data'), ended]);
    return this.output.slice(0, -1);
  }

  async end(): Promise<void> {
    this.child.stdin.end();
    await this.closed;
  }
}
