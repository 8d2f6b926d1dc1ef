import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cluster,
  DATABASE,
  findBinaries,
  findPackage,
  openCluster,
  program,
} from '../../../src/platform/database/embedded/cluster';
import { type Account, placeData } from '../../../src/platform/database/embedded/placement';
import { type ServerProcess, spawnServer } from '../../../src/platform/database/embedded/server-process';
import { connected } from '../../support/database';
import { freePort } from '../../support/free-port';
import { SmallDisk } from './small-disk';
import { until } from './until';

/** A Postgres server that a test kills, freezes and restarts; it comes back on the same port with the same data. */
export class PostgresServer {
  private process: ServerProcess;
  private disk?: SmallDisk;

  private constructor(
    private readonly folder: string,
    private readonly program: string,
    private readonly cluster: Cluster,
    private readonly account: Account | undefined,
    readonly port: number,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = makeFolder();
    const { dataDir, account } = placeData(folder);
    const binaries = findBinaries(findPackage(), account);
    const cluster = openCluster(dataDir, binaries, account, false);
    const server = new PostgresServer(folder, program(binaries, 'postgres'), cluster, account, await freePort());
    await server.run();
    return server;
  }

  /** The connection string of a superuser. */
  url(database = 'postgres'): string {
    return `postgres://${DATABASE}:${this.cluster.password}@127.0.0.1:${this.port}/${database}`;
  }

  /**
   * Restarts with a synchronous standby and returns that one. From then on, nothing is committed that the standby does
   * not have.
   */
  async addStandby(): Promise<PostgresServer> {
    await this.process.stop();
    const folder = makeFolder();
    const dir = join(folder, 'cluster');
    // A copy of a stopped server is a valid base backup.
    execFileSync('cp', ['-a', this.cluster.dir, dir]);
    writeFileSync(join(dir, 'standby.signal'), '');
    const cluster = { ...this.cluster, dir };
    const standby = new PostgresServer(folder, this.program, cluster, this.account, await freePort());
    await this.run({ synchronous_standby_names: '*' });
    const { port } = this;
    const primary = `host=127.0.0.1 port=${port} user=${DATABASE} password=${cluster.password}`;
    await standby.run({ primary_conninfo: primary });
    const inStep = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await until('the standby is in step', async () => (await this.query(inStep)).length === 1);
    return standby;
  }

  /** Makes a tablespace on a small disk; undefined if the test may not mount one. */
  async addSmallDisk(name: string): Promise<SmallDisk | undefined> {
    this.disk = this.account && SmallDisk.mount(join(this.folder, name), this.account);
    if (this.disk) await this.query(`CREATE TABLESPACE ${name} LOCATION '${this.disk.path}'`);
    return this.disk;
  }

  /** kill -9; resolves when it is gone. */
  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await this.process.exited;
  }

  /** kill -9, and starts again. */
  async killAndRestart(): Promise<void> {
    await this.kill();
    await until('Postgres runs again', async () => {
      this.spawn();
      // It ends again while another process of the killed server has not.
      return Promise.race([this.untilReady().then(() => true), this.process.exited.then(() => false)]);
    });
  }

  /** Crashes (SIGQUIT) and recovers. */
  async crashAndRestart(): Promise<void> {
    process.kill(this.pid, 'SIGQUIT');
    await this.process.exited;
    await this.run();
  }

  /** Stops every process of the server with SIGSTOP while `work` runs. */
  async freezeDuring(work: () => Promise<void>): Promise<void> {
    await connected(this.url(), async (client) => {
      const postmaster = this.pid;
      process.kill(postmaster, 'SIGSTOP');
      // The stopped postmaster starts no more processes, so these are all.
      const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
      const pids = [...rows.map(({ pid }) => pid), postmaster];
      try {
        for (const pid of pids) signal(pid, 'SIGSTOP');
        await work();
      } finally {
        for (const pid of pids) signal(pid, 'SIGCONT');
      }
    });
  }

  /** Runs one statement and returns its rows. */
  query<Row extends object>(sql: string, values: unknown[] = [], database?: string): Promise<Row[]> {
    return connected(this.url(database), async (client) => (await client.query<Row>(sql, values)).rows);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    this.disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(more: Record<string, string> = {}): Promise<void> {
    this.spawn(more);
    return this.untilReady();
  }

  private spawn(more: Record<string, string> = {}): void {
    const settings = { listen_addresses: '127.0.0.1', port: String(this.port), unix_socket_directories: '', ...more };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = join(this.folder, 'postgres.log');
    this.process = spawnServer(this.program, ['-D', this.cluster.dir, ...args], log, this.account);
  }

  private async untilReady(): Promise<void> {
    const isReady = () =>
      this.query('SELECT').then(
        () => true,
        () => false,
      );
    await until('Postgres is ready', isReady);
  }

  private get pid(): number {
    return parseInt(readFileSync(join(this.cluster.dir, 'postmaster.pid'), 'utf8'), 10);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-faults-'));
  // Started by root, Postgres runs under another account, which needs access.
  chmodSync(folder, 0o755);
  return folder;
}
