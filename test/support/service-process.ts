import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Databases } from './databases';
import { ADMIN_API_KEY, WITHOUT_LIMITS } from './environment';

const MAIN = resolve(__dirname, '../../dist/src/main.js');
const ADDRESS = /is ready on (\S+)/;

const ENV = { PORT: '0', ADMIN_API_KEY, LOG_LEVEL: 'fatal', ...WITHOUT_LIMITS };

/** The service as it is started in production: a process of its own, of what `npm run build` wrote. */
export class ServiceProcess {
  private static readonly running = new Set<ServiceProcess>();

  stdout = '';
  stderr = '';
  /** Resolves with the exit code, or with the name of the signal that ended it, when all that it printed is read. */
  readonly ended: Promise<number | string>;
  /** The same, whether it is read or not. */
  readonly exited: Promise<number | string>;
  private readonly child: ChildProcess;

  private constructor(
    env: Record<string, string>,
    [program, ...args]: string[],
    stdout: 'pipe' | number,
    private readonly isGroup = false,
  ) {
    this.child = spawn(program, args, {
      env: { PATH: process.env.PATH, ...ENV, ...env },
      stdio: ['ignore', stdout, 'pipe'],
      detached: isGroup,
    });
    this.child.stdout?.on('data', (chunk) => (this.stdout += String(chunk)));
    this.child.stderr!.on('data', (chunk) => (this.stderr += String(chunk)));
    const how = ([code, signal]: (number | string | null)[]) => (code ?? signal)!;
    this.exited = once(this.child, 'exit').then(how);
    this.ended = once(this.child, 'close').then(how);
    ServiceProcess.running.add(this);
    void this.ended.then(() => ServiceProcess.running.delete(this));
  }

  /**
   * @param stdout a file descriptor to print to; what goes there can't be read here
   * @param main another copy of the built service
   */
  static start(env: Record<string, string>, stdout: 'pipe' | number = 'pipe', main = MAIN): ServiceProcess {
    return new ServiceProcess(env, [process.execPath, main], stdout);
  }

  /** The command that only migrates. */
  static migrate(env: Record<string, string>, main = MAIN): ServiceProcess {
    return new ServiceProcess(env, [process.execPath, main, 'migrate'], 'pipe');
  }

  /**
   * By another command. @param isGroup whether it starts the service as its child, so that signals have to go to both,
   * as Ctrl-C does
   */
  static startCommand(command: string[], env: Record<string, string>, isGroup = false): ServiceProcess {
    return new ServiceProcess(env, command, 'pipe', isGroup);
  }

  /** As `node main.js | cat` in a terminal: signals go to both, and it has ended when both have. */
  static startPiped(env: Record<string, string>): ServiceProcess {
    return new ServiceProcess(env, ['sh', '-c', '"$@" | cat', 'sh', process.execPath, MAIN], 'pipe', true);
  }

  /** For the end of a test, however it ended. */
  static async killAll(): Promise<void> {
    const all = [...ServiceProcess.running];
    for (const service of all) service.signal('SIGKILL');
    await Promise.all(all.map(({ ended }) => ended));
  }

  /** Resolves with the address once it is ready; rejects when the process ends before. */
  async address(): Promise<string> {
    await this.untilPrinted(ADDRESS);
    return ADDRESS.exec(this.stdout)![1];
  }

  async untilPrinted(text: RegExp): Promise<void> {
    const end = this.ended.then((how) => {
      throw new Error(`The process ended with ${how}:\n${this.stdout}${this.stderr}`);
    });
    // If it is printed already, nobody waits for the end.
    end.catch(() => undefined);
    while (!text.test(this.stdout)) await Promise.race([once(this.child.stdout!, 'data'), end]);
  }

  /** From now on nobody reads what it prints. */
  stopReading(): void {
    this.child.stdout!.pause();
  }

  startReading(): void {
    this.child.stdout!.resume();
  }

  /** From now on what it prints can't be read by anybody. */
  closeReader(): void {
    this.child.stdout!.destroy();
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.isGroup) process.kill(-this.child.pid!, signal);
    else this.child.kill(signal);
  }
}

/** Databases for the processes of a file of tests. At its end the processes are killed and the databases dropped. */
export function databasesForAll(): Databases {
  const databases = new Databases();
  afterAll(async () => {
    await ServiceProcess.killAll();
    await databases.dropAll();
  });
  return databases;
}
