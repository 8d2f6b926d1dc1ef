import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Writable } from 'node:stream';
import { Account, processOptions } from './placement';

/** More than Postgres prints when it fails to start. */
const LOG_TAIL_BYTES = 8192;

/**
 * Becomes Postgres ("$@") and leaves a watcher behind, which reads from a pipe (file 3) that the service holds open.
 * When the service dies, even by `kill -9`, the pipe closes and the watcher stops Postgres. When Postgres ends first,
 * the watcher gets a line and ends, because another process may have that pid by then. The watcher is a grandchild,
 * because Postgres takes the death of an unknown child for a crash. It outlives the signals that a service manager
 * sends to all.
 */
const WATCHED = `( (trap '' HUP INT TERM; read -r line <&3 || kill -INT $$) & ); exec "$@" 3<&-`;

/** The process of a Postgres server. */
export interface ServerProcess {
  /**
   * `how`: "exit code 1", "ended by SIGKILL" or why it did not start. `log`: the last that it printed. Never rejects.
   */
  readonly exited: Promise<{ how: string; log: string }>;
  /** Ends all connections and shuts down cleanly. Resolves when the process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres in a session of its own: Ctrl-C in the terminal reaches the service alone, which stops Postgres last.
 *
 * @param logFile what Postgres prints is appended to it
 */
export function spawnServer(postgres: string, args: string[], logFile: string, account?: Account): ServerProcess {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const log = openSync(logFile, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  const logStart = fstatSync(log).size;
  const child = spawn('sh', ['-c', WATCHED, 'sh', postgres, ...args], {
    ...processOptions(account),
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  const pipe = child.stdio[3] as Writable;
  // The watcher may end first.
  pipe.on('error', () => {});

  const exited = new Promise<{ how: string; log: string }>((resolve) => {
    const end = (how: string) => {
      pipe.end('\n', () => pipe.destroy());
      resolve({ how, log: readTail(log, logStart) });
      closeSync(log);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal ? `ended by ${signal}` : `exit code ${code}`));
  });
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  return { exited, stop };
}

function readTail(file: number, start: number): string {
  const { size } = fstatSync(file);
  const from = Math.max(start, size - LOG_TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - from));
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from));
}
