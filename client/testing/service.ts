import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { RetentionFlow } from '../src/index.ts';

const NAME = 'retention-flow-service';
const READY = /is ready on (\S+)/;
/** The start makes a database. */
const START_MS = 60_000;
/** What it does at its end may take so long. */
const STOP_MS = 10_000;
/** The most of its log that an error quotes. */
const QUOTED = 2000;

export interface ServiceOptions {
  /**
   * The packed service, `retention-flow-service-<version>.tgz`, which is installed once for this user, in `~/.cache`, or
   * a folder with the package. Without it, the one that your project has installed.
   */
  package?: string;
  /** Settings of the service, as in its documentation, such as `STRIPE_API_URL`. */
  env?: Record<string, string>;
}

/** A service of its own, with an empty test workspace. */
export interface RunningService {
  url: string;
  /** The operator's key. */
  adminKey: string;
  workspace: {
    id: string;
    /** An API key that may read and change. */
    key: string;
  };
  /** Stops it, and deletes its data. */
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts a service for tests: on a port of its own, with a database of its own in a temporary folder. It has no limits
 * by time, and its webhooks reach this machine.
 *
 * @throws Error if the service is not there, or does not start: with what it has printed
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const program = await programOf(options.package);
  const folder = await mkdtemp(join(tmpdir(), 'retention-flow-'));
  // As root, Postgres runs under another account, which has to get in.
  await chmod(folder, 0o711);
  const adminKey = randomBytes(24).toString('hex');
  const child = spawn(process.execPath, ['-e', KEEPER, program], {
    // Settings of your own program, such as DATABASE_URL, are none of the service.
    env: { ...ofTheMachine(), ...SETTINGS, ADMIN_API_KEY: adminKey, ...options.env, DATA_DIR: folder },
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stop = () => end(child);
  try {
    const url = await ready(child);
    const admin = new RetentionFlow({ baseUrl: url, apiKey: adminKey });
    const { id, api_key } = await admin.workspaces.create({ name: 'Tests', test: true });
    return { url, adminKey, workspace: { id, key: api_key.key }, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Runs the service until its own input ends, then deletes the data: so nothing stays behind, however the tests end. A
 * process that is killed closes what it has open.
 */
const KEEPER = `
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const service = spawn(process.execPath, [process.argv[1]], { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = () => {
  service.kill('SIGINT');
  setTimeout(() => service.kill('SIGKILL'), ${STOP_MS}).unref();
};
process.stdin.on('end', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
service.on('exit', (code) => {
  rmSync(process.env.DATA_DIR, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.exit(code ?? 1);
});`;

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  RUNTIME_REQUESTS_PER_MINUTE: '0',
  MANAGEMENT_REQUESTS_PER_MINUTE: '0',
  FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
  DECLARATIONS_PER_HOUR: '0',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
};

/** What a program needs of the environment, whatever it is. */
const NEEDED =
  /^(path|pathext|comspec|home|user|userprofile|(local)?appdata|lang|lc_.*|tz|tmpdir|temp|tmp|systemroot)$/i;
const ofTheMachine = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name)));

/** The program that starts the service. */
async function programOf(named: string | undefined): Promise<string> {
  if (named?.endsWith('.tgz')) return binOf(await unpacked(resolve(named)));
  return binOf(named === undefined ? installed() : join(resolve(named), 'package.json'));
}

async function binOf(manifest: string): Promise<string> {
  const text = await readFile(manifest, 'utf8').catch(() => {
    throw new Error(`There is no ${NAME} at ${manifest}.`);
  });
  const { bin } = JSON.parse(text) as { bin?: Record<string, string> };
  if (!bin?.[NAME]) throw new Error(`${manifest} is not of ${NAME}.`);
  return join(dirname(manifest), bin[NAME]);
}

/** The manifest of the package in a file, which is installed once for each content. */
async function unpacked(file: string): Promise<string> {
  const content = await readFile(file).catch(() => {
    throw new Error(`There is no file ${file}.`);
  });
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 20);
  // Of this user alone: what is there is run.
  const folder = join(homedir(), '.cache', NAME, hash);
  const manifest = join(folder, 'node_modules', NAME, 'package.json');
  const isThere = await access(manifest).then(
    () => true,
    () => false,
  );
  if (isThere) return manifest;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const making = await mkdtemp(`${folder}-`);
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const isWindows = process.platform === 'win32';
  await promisify(execFile)('npm', ['install', ...options, '--prefix', making, file], { shell: isWindows }).catch(
    async ({ message }: Error) => {
      await rm(making, { recursive: true, force: true });
      throw new Error(`${file} could not be installed: ${message.slice(0, QUOTED)}`);
    },
  );
  // Of two tests that start at once, one is first.
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  return manifest;
}

/** The manifest of the package that the project has installed. */
function installed(): string {
  try {
    return createRequire(join(process.cwd(), 'tests.js')).resolve(`${NAME}/package.json`);
  } catch {
    throw new Error(
      `${NAME} is not installed in ${process.cwd()}. Install its file from a release, ` +
        `npm install --save-dev ./${NAME}-<version>.tgz, or name the file: startService({ package: '…' }).`,
    );
  }
}

/** The address of the service, once it is ready. From then on nobody reads what it prints, nor waits for it. */
function ready(child: ChildProcessWithoutNullStreams): Promise<string> {
  const { stdin, stdout, stderr } = child;
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const address = READY.exec(printed)?.[1];
      if (address) done(() => resolve(address));
    };
    const fail = (what: string) => done(() => reject(new Error(`The service ${what}:\n${printed.slice(-QUOTED)}`)));
    const late = setTimeout(() => fail(`was not ready within ${START_MS / 1000} seconds`), START_MS);
    const done = (settle: () => void) => {
      clearTimeout(late);
      for (const stream of [stdout, stderr]) stream.off('data', read).resume();
      // Tests that forget to stop it end all the same, and it ends with them.
      for (const one of [child, stdin, stdout, stderr]) (one as unknown as { unref: () => void }).unref();
      settle();
    };
    for (const stream of [stdout, stderr]) stream.on('data', read);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    // When all that it printed is read.
    child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.ref();
  child.stdin.end();
  await exited;
}
