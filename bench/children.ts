import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const STOP_MS = 5000;

/** A server of ours that listens. */
export interface Server {
  /** http://host:port */
  url: string;
  pid: number;
}

/** The processes that the benchmark starts: none outlives it. */
export class Children {
  private readonly running = new Set<ChildProcess>();
  private stopped = false;

  /** Starts a server and waits for the address, the first URL that it prints. */
  async serve(script: string, env: Record<string, string>): Promise<Server> {
    const child = this.spawn(process.execPath, [script], env);
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout!.on('data', (chunk) => {
        printed += String(chunk);
        const [address] = /http:\/\/[\w.]+:\d+/.exec(printed) ?? [];
        if (!address) return;
        // Whatever it prints from now on is let through to nowhere, or the pipe would fill and stall it.
        child.stdout!.removeAllListeners('data').resume();
        resolve(address);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`${basename(script)} ended before it listened: ${printed}`)));
    });
    return { url, pid: child.pid! };
  }

  /** Runs a program to its end and answers what it printed. Throws when it fails. */
  async run(command: string, args: string[]): Promise<string> {
    const child = this.spawn(command, args);
    let printed = '';
    child.stdout!.on('data', (chunk) => (printed += String(chunk)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (code !== 0) throw new Error(`${basename(command)} ${args.join(' ')} ended with ${signal ?? code}`);
    return printed;
  }

  /** Ends all of them, the stubborn ones by force, and lets no other start. */
  async stop(): Promise<void> {
    this.stopped = true;
    const ended = [...this.running].map((child) => once(child, 'exit'));
    for (const child of this.running) child.kill('SIGTERM');
    await Promise.race([Promise.all(ended), pause(STOP_MS, undefined, { ref: false })]);
    for (const child of this.running) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  private spawn(command: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    if (this.stopped) throw new Error('The benchmark is over');
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio });
    this.running.add(child);
    for (const end of ['exit', 'error']) child.once(end, () => this.running.delete(child));
    return child;
  }
}
