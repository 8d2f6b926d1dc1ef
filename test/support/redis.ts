import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port';

/** Describes what needs a redis-server. A machine without one leaves it out, unless it is a CI's. */
export const describeWithRedis =
  process.env.CI || !spawnSync('redis-server', ['--version']).error ? describe : describe.skip;

/** A redis-server of its own, which can be killed and started again (Debian: apt-get install redis-server). */
export class RedisServer {
  private process?: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'retention-flow-redis-'));

  private constructor(
    private readonly port: number,
    private readonly settings: string[],
  ) {}

  /** With settings of redis.conf, such as `--maxmemory 1mb`. */
  static async start(...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const own = [
      '--port',
      `${this.port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      '--save',
      '',
      '--daemonize',
      'no',
    ];
    this.process = spawn('redis-server', [...own, ...this.settings], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(this.process.stdout!)) {
      if (line.includes('Ready to accept connections')) return;
    }
    throw new Error('redis-server did not start');
  }

  /** What `redis-cli` prints. */
  command(...words: string[]): string {
    return execFileSync('redis-cli', ['-p', `${this.port}`, ...words], { encoding: 'utf8' }).trim();
  }

  async kill(): Promise<void> {
    this.process!.kill('SIGKILL');
    if (this.process!.exitCode === null && this.process!.signalCode === null) await once(this.process!, 'exit');
  }

  /** It keeps its connections, and replies to nobody. */
  freeze(): void {
    this.process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.process!.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
