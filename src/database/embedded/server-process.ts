import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { Writable } from 'node:stream';
import { Account, processOptions } from './account';

/** How long a fast shutdown, which ends with a checkpoint, may take before Postgres has to drop everything. */
const FAST_SHUTDOWN_MS = 10_000;

/**
 * Becomes Postgres ("$@"), after it has left a watcher behind, whose file 3 is a pipe that this process holds open.
 * The pipe closes when this process dies, `kill -9` included, and the watcher then stops Postgres. It is told a line
 * when Postgres has ended by itself, as the pid may be another process's by then. The watcher is a grandchild because
 * Postgres takes the death of a child that it does not know for a crash, and it shrugs off the signals that a service
 * manager sends to everyone, since it has to outlive us.
 */
const WATCHED = `( (trap '' HUP INT TERM; read -r line <&3 || kill -INT $$) & ); exec "$@" 3<&-`;

/** The process of a Postgres server. */
export interface ServerProcess {
  /** How it ended, once it has, or why it could not begin. Never rejects. */
  readonly exited: Promise<string>;
  isRunning(): boolean;
  isStopping(): boolean;
  /** Ends all connections and shuts down cleanly; resolves when the process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres in a session of its own: Ctrl-C in our terminal is for us to handle, Postgres goes last.
 *
 * @param logFile is replaced, and gets all that Postgres prints
 */
export function spawnServer(
  postgres: string,
  args: string[],
  logFile: string,
  account: Account | undefined,
): ServerProcess {
  rmSync(logFile, { force: true });
  // Appended to, so that an operator can truncate it under the running server. A link that was put there is not followed.
  const log = openSync(logFile, 'ax', 0o600);
  const child = spawn('sh', ['-c', WATCHED, 'sh', postgres, ...args], {
    ...processOptions(account),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);

  const pipe = child.stdio[3] as Writable;
  // The watcher may be gone before us.
  pipe.on('error', () => {});

  let running = true;
  let stopping: Promise<void> | undefined;
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      running = false;
      pipe.end('\n', () => pipe.destroy());
      resolve(how);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal ? `ended by ${signal}` : `exit code ${code}`));
  });

  async function shutDown(): Promise<void> {
    child.kill('SIGINT');
    const escalation = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
    await exited;
    clearTimeout(escalation);
  }

  return {
    exited,
    isRunning: () => running,
    isStopping: () => stopping !== undefined,
    stop: () => (stopping ??= running ? shutDown() : Promise.resolve()),
  };
}
