import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataDirInUseError, EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres';

jest.setTimeout(20_000);

const settings = { fsync: 'off', shared_buffers: '16MB' };

/** A process of its own, which starts the server and prints its URL. */
const OWNER = `
  const { transformFileSync } = require('@swc/core');
  const typescript = { module: { type: 'commonjs' }, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } };
  require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, typescript).code, file);
  const { startEmbeddedPostgres } = require(${JSON.stringify(join(__dirname, 'embedded-postgres.ts'))});
  const [dataDir, settings] = process.argv.slice(1);
  startEmbeddedPostgres({ dataDir, settings: JSON.parse(settings) }).then(({ url }) => console.log(url));
`;

describe('the embedded Postgres', () => {
  const running: EmbeddedPostgres[] = [];
  const owners: ChildProcess[] = [];
  const folders: string[] = [];
  let dataDir: string;

  beforeAll(() => {
    dataDir = newFolder();
  });

  afterEach(async () => {
    for (const owner of owners.splice(0)) owner.kill('SIGKILL');
    await Promise.all(running.splice(0).map((server) => server.stop()));
  });

  afterAll(() => {
    // What a killed process has started may still be writing.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    // As root the server has an account of its own, which has to get in.
    chmodSync(folder, 0o755);
    folders.push(folder);
    return folder;
  }

  async function start(folder = dataDir): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir: folder, settings });
    running.push(server);
    return server;
  }

  function startElsewhere(folder = dataDir): ChildProcess {
    const args = ['-e', OWNER, folder, JSON.stringify(settings)];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    owners.push(owner);
    return owner;
  }

  /** Exists as long as the server does, and begins with its pid. */
  function pidFile(): string {
    return join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
  }

  function serverPid(): number {
    return parseInt(readFileSync(pidFile(), 'utf8'), 10);
  }

  it('keeps data from one start to the next', async () => {
    const first = await start();
    await query(first.url, `CREATE TABLE kept AS SELECT 'Zürich' AS city`);
    await first.stop();

    const second = await start();

    expect(await query(second.url, 'SELECT upper(city) AS city FROM kept')).toEqual([{ city: 'ZÜRICH' }]);
  });

  it('refuses a folder that another server works on, by its name', async () => {
    const { url } = await start();
    const refused = startEmbeddedPostgres({ dataDir, settings });

    await expect(refused).rejects.toThrow(DataDirInUseError);
    await expect(refused).rejects.toThrow(`DATA_DIR ${dataDir} is in use by another process (pid ${serverPid()})`);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  it('leaves no Postgres behind when its process is killed', async () => {
    const owner = startElsewhere();
    const url = await firstLine(owner);

    owner.kill('SIGKILL');

    await until(() => !existsSync(pidFile()));
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('finds all that was committed in a start right after its process was killed', async () => {
    const owner = startElsewhere();
    await query(await firstLine(owner), 'CREATE TABLE committed AS SELECT 1 AS id');

    owner.kill('SIGKILL');

    const { url } = await start();
    expect(await query(url, 'SELECT id FROM committed')).toEqual([{ id: 1 }]);
  });

  it('starts after a first start that was killed half-way', async () => {
    const folder = newFolder();
    const owner = startElsewhere(folder);
    const isUnfinished = (name: string) => existsSync(join(folder, name, 'postgres', 'cluster', 'base'));
    await until(() => readdirSync(folder).some(isUnfinished));
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(readdirSync(folder)).not.toContain('postgres');

    const { url } = await start(folder);

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('reports that the server has ended by itself, with the end of its log', async () => {
    const server = await start();

    process.kill(serverPid(), 'SIGTERM');

    expect((await server.lost).message).toMatch(/has ended: exit code 0\n[^]*database system is shut down/);
  });

  it('says what Postgres said when it does not start', async () => {
    const wrong = startEmbeddedPostgres({ dataDir, settings: { ...settings, shared_buffers: 'plenty' } });

    await expect(wrong).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"');
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) return line;
  throw new Error('The process ended without a line');
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; !condition(); attempt++) {
    if (attempt === 1000) throw new Error('It did not happen within 10 s');
    await sleep(10);
  }
}
