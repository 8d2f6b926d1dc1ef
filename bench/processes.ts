import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const START_MS = 60_000;
const STOP_MS = 5000;

/** What Node is to run. */
export interface Program {
  script: string;
  nodeOptions?: string[];
}

export interface Server {
  /** http://host:port */
  url: string;
  pid: number;
}

/** The processes that the benchmark starts. None outlives it. */
export class ChildProcesses {
  private readonly running = new Set<ChildProcess>();
  private stopped = false;

  /** Starts a server and waits for the first URL that it prints. */
  async serve({ script, nodeOptions }: Program, env: Record<string, string> = {}): Promise<Server> {
    const child = this.start(script, ['ignore', 'pipe', 'inherit'], env, nodeOptions);
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout!.on('data', (chunk) => {
        printed += String(chunk);
        const [address] = /http:\/\/[\w.]+:\d+/.exec(printed) ?? [];
        if (address) resolve(address);
      });
      const fail = (how: string) => reject(new Error(`${script} ${how}\n${printed}`));
      child.once('error', ({ message }) => fail(message));
      child.once('exit', () => fail('ended before it listened'));
      AbortSignal.timeout(START_MS).addEventListener('abort', () => fail(`did not listen in ${START_MS / 1000} s`));
    });
    // From now on its log is read and dropped; unread, it would fill the pipe.
    child.stdout!.removeAllListeners('data').resume();
    return { url, pid: child.pid! };
  }

  /** Runs a script that takes one message and sends one back. */
  async ask<Reply>(script: string, message: object): Promise<Reply> {
    const child = this.start(script, ['ignore', 'inherit', 'inherit', 'ipc']);
    let reply: Reply | undefined;
    child.once('message', (value) => (reply = value as Reply));
    child.send(message);
    await Promise.all([once(child, 'disconnect'), once(child, 'exit')]);
    if (reply === undefined) throw new Error(`${script} failed`);
    return reply;
  }

  /** Ends a server. */
  async end({ pid }: Server): Promise<void> {
    const child = [...this.running].find((one) => one.pid === pid);
    if (!child) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  /** Ends all of them, after 5 s by force, and lets no other start. */
  async stop(): Promise<void> {
    this.stopped = true;
    const ended = Promise.all([...this.running].map((child) => once(child, 'exit')));
    for (const child of this.running) child.kill('SIGTERM');
    await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })]);
    for (const child of this.running) child.kill('SIGKILL');
    await ended;
  }

  private start(
    script: string,
    stdio: StdioOptions,
    env: Record<string, string> = {},
    nodeOptions: string[] = [],
  ): ChildProcess {
    if (this.stopped) throw new Error('The benchmark is over');
    const child = spawn(process.execPath, [...nodeOptions, script], { env: { PATH: process.env.PATH, ...env }, stdio });
    this.running.add(child);
    for (const end of ['exit', 'error']) child.once(end, () => this.running.delete(child));
    return child;
  }
}

/** Linux reports CPU time to user space in hundredths of a second (USER_HZ) on every platform. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  name: string;
  parent: number;
  cpuSeconds: number;
  /** Of its children that have ended. */
  endedChildrenCpuSeconds: number;
}

/** User and system time of a process. undefined without /proc, as in all functions here. */
export function cpuSecondsOf(pid: number): number | undefined {
  return statOf(pid)?.cpuSeconds;
}

/** User and system time of a Postgres server: its postmaster, all running children, and those that have ended. */
export function cpuSecondsOfPostgres(postmaster: number | undefined): number | undefined {
  const own = postmaster && statOf(postmaster);
  if (!own) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((pid) => statOf(Number(pid))).filter((stat) => stat?.parent === postmaster);
  return children.reduce((sum, stat) => sum + stat!.cpuSeconds, own.cpuSeconds + own.endedChildrenCpuSeconds);
}

/** The postmaster of a backend, if that is a process of this machine. */
export function postmasterOf(backend: number): number | undefined {
  const stat = statOf(backend);
  return stat?.name === 'postgres' ? stat.parent : undefined;
}

export function residentBytesOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** proc_pid_stat(5). The name is in parentheses and may hold spaces, so fields are counted from behind it. */
function statOf(pid: number): ProcessStat | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    cpuSeconds: (utime + stime) / TICKS_PER_SECOND,
    endedChildrenCpuSeconds: (cutime + cstime) / TICKS_PER_SECOND,
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
