import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';

const settings = { fsync: 'off', shared_buffers: '16MB' };

/** A separate process, which starts the server and prints its URL, or the error. */
const OWNER = `
  const { transformFileSync } = require('@swc/core');
  const typescript = { module: { type: 'commonjs' }, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } };
  require.extensions['.ts'] = (module, file) => module._compile(transformFileSync(file, typescript).code, file);
  const { startEmbeddedPostgres } = require(${JSON.stringify(require.resolve('../../src/platform/database/embedded/embedded-postgres'))});
  const [dataDir, settings] = process.argv.slice(1);
  startEmbeddedPostgres({ dataDir, settings: JSON.parse(settings) }).then(
    ({ url }) => console.log(url),
    (error) => console.log(error.message),
  );
`;

describe('The embedded Postgres', () => {
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
    // The server of a killed process may still be writing.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
    // As root, Postgres runs under another account, which has to get in.
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

  /** Begins with the server's pid. A clean shutdown removes it. */
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

  it('refuses a folder that another server works on, in one line that names the folder and the pid', async () => {
    const { url } = await start();

    const message = `DATA_DIR ${dataDir} is in use by another service (its Postgres has pid ${serverPid()})`;
    await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(message);

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  it('serves one of two first starts at once, and refuses the other', async () => {
    const folder = newFolder();

    const lines = await Promise.all([firstLine(startElsewhere(folder)), firstLine(startElsewhere(folder))]);

    const [refusal, url] = lines.toSorted();
    expect(refusal).toMatch(`DATA_DIR ${folder} is in use by another service`);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres.log']);
  });

  it('ends when its process is killed with kill -9', async () => {
    const owner = startElsewhere();
    const url = await firstLine(owner);

    owner.kill('SIGKILL');

    await until(() => !existsSync(pidFile()));
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('starts again immediately after kill -9, with everything that was committed', async () => {
    const owner = startElsewhere();
    await query(await firstLine(owner), 'CREATE TABLE committed AS SELECT 1 AS id');

    owner.kill('SIGKILL');

    const { url } = await start();
    expect(await query(url, 'SELECT id FROM committed')).toEqual([{ id: 1 }]);
  });

  it('starts on a folder with a stale postmaster.pid, with everything that was committed', async () => {
    const killed = await start();
    await query(killed.url, 'CREATE TABLE survivors AS SELECT 1 AS id');
    process.kill(serverPid(), 'SIGKILL');
    expect((await killed.lost).message).toContain('ended by SIGKILL');
    expect(existsSync(pidFile())).toBe(true);

    const { url } = await start();

    expect(await query(url, 'SELECT id FROM survivors')).toEqual([{ id: 1 }]);
  });

  it('waits while another server is starting on the folder: its postmaster.pid is still empty', async () => {
    await (await start()).stop();
    const log = join(dataDir, 'postgres.log');
    const { length } = readFileSync(log, 'utf8');
    writeFileSync(pidFile(), '');

    const starting = start();
    await until(() => readFileSync(log, 'utf8').includes('"postmaster.pid" is empty', length));
    rmSync(pidFile());

    expect(await query((await starting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts after a first start that was killed in the middle of initdb', async () => {
    const folder = newFolder();
    const owner = startElsewhere(folder);
    const isUnfinished = (name: string) => existsSync(join(folder, name, 'cluster', 'base'));
    await until(() => readdirSync(folder).some(isUnfinished));
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(readdirSync(folder)).not.toContain('postgres');

    const { url } = await start(folder);

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('reports that the server ended by itself, with its last line and where the log is', async () => {
    const server = await start();

    process.kill(serverPid(), 'SIGTERM');

    const logFile = join(dataDir, 'postgres.log');
    expect((await server.lost).message).toBe(
      `The embedded Postgres ended (exit code 0): database system is shut down (more in ${logFile})`,
    );
  });

  it('says in one line why Postgres did not start', async () => {
    const wrong = startEmbeddedPostgres({ dataDir, settings: { ...settings, shared_buffers: 'plenty' } });

    const message = `DATA_DIR ${dataDir} can't be used: the embedded Postgres did not start (exit code 1): `;
    await expect(wrong).rejects.toThrow(`${message}invalid value for parameter "shared_buffers": "plenty"`);
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
    if (attempt === 1000) throw new Error('The condition did not hold within 10 s');
    await sleep(10);
  }
}
