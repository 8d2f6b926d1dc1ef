import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const POOL_SIZE = 10;
export const ADMIN_API_KEY = 'the-operator-key-of-the-faults';

const SCRIPT = join(__dirname, '../../../dist/src/main.js');

/** The service as it is run: a process of its own, built, that answers on a port of its own. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly printed: () => string,
  ) {}

  static async start(databaseUrl: string): Promise<ServiceProcess> {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      ADMIN_API_KEY,
      LOG_LEVEL: 'error',
      // The load comes from a single address.
      RUNTIME_REQUESTS_PER_MINUTE: '0',
      MANAGEMENT_REQUESTS_PER_MINUTE: '0',
    };
    const child = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        printed += String(chunk);
        const [, address] = /ready on (http:\S+)/.exec(printed) ?? [];
        if (address) resolve(address);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('exit', () => reject(new Error(`The service ended before it listened: ${printed}`)));
    });
    return new ServiceProcess(child, url, () => printed);
  }

  /** What it should not have met, each kind once: defects that it logged, and how it ended where nobody ended it. */
  get defects(): string[] {
    const logged = this.printed().matchAll(/"err":\{"type":"(\w+)","message":"([^"]*)/g);
    const defects = new Set([...logged].map(([, type, message]) => `${type}: ${message}`));
    return this.isRunning ? [...defects] : [...defects, `The service has ended: ${this.printed().slice(-2000)}`];
  }

  /** kill -9. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  private get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
}
