import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** A program that listens on a port of 127.0.0.1 until it is stopped. */
export class Program {
  output = '';
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (this.output += String(text)));
    this.ended = once(child, 'close');
  }

  /** Resolves when it listens. */
  static async start(port: number, [name, ...args]: string[], env: Record<string, string> = {}): Promise<Program> {
    const child = spawn(name, args, { env: { PATH: `${process.env.PATH}:/usr/sbin`, ...env }, stdio: 'pipe' });
    const program = new Program(child);
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${program.output}`);
    }
    return program;
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
