import { TO_LOOPBACK } from '../../support/receiver';
import { ServiceProcess } from '../../support/service-process';

export const POOL_SIZE = 10;

/** The built service as a separate process, in fault tests. */
export class ServiceUnderFault {
  private constructor(
    private readonly process: ServiceProcess,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<ServiceUnderFault> {
    const process = ServiceProcess.start({
      ...TO_LOOPBACK,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      LOG_LEVEL: 'error',
    });
    return new ServiceUnderFault(process, await process.address());
  }

  /** Errors that it logged, each kind once, and its last output if it has ended by itself. */
  get defects(): string[] {
    const { stdout, stderr, isRunning } = this.process;
    const printed = stdout + stderr;
    const logged = printed.matchAll(/"err":\{"type":"(\w+)","message":"([^"]*)/g);
    const defects = new Set([...logged].map(([, type, message]) => `${type}: ${message}`));
    return isRunning ? [...defects] : [...defects, `The service has ended: ${printed.slice(-2000)}`];
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.process.signal('SIGKILL');
    await this.process.ended;
  }
}
