// First: loading the others takes a second, in which a signal may come.
import { stopSignal } from './app/stop-signal';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app/app';
import { Config, ConfigError } from './settings/config';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres';
import { migrate } from './platform/database/schema/migrate';
import { waitForDatabase } from './platform/database/connection/client';
import { addDemoData, removeDemoData } from './app/example/demo-data';
import { DEMO_FLOW } from './app/example/demo-flow';
import { createExample } from './app/example/example';
import { listenAt } from './platform/http/server/operation-port';
import { Output } from './platform/http/log/output';
import { notifyOn } from './platform/http/log/request-log';
import { misspelledSettings } from './settings/misspelled';
import { DrainService } from './app/operation/drain.service';
import { rotateEncryptionKey } from './billing/connections/rotate-encryption-key';
import { createSetupLink } from './people/links/setup-link';

/** How long new connections are still accepted after SIGTERM. */
const ACCEPT_MS = 3000;
/** How long the whole stop may take. */
const STOP_MS = 9000;
/** How a command exits that SIGTERM has ended, as a shell says it. */
const STOPPED = 143;

const COMMANDS = ['migrate', 'setup-link', 'demo-data', 'rotate-encryption-key'];

const output = new Output();
const print = notifyOn(output);

async function main(command?: string, ...options: string[]): Promise<void> {
  const config = Config.fromEnv(process.env);
  if (command !== undefined) checkCommand(command, options);
  if (command !== undefined) void stopSignal.then(() => process.exit(STOPPED));
  if (command === 'migrate') return migrateOnly(config);
  if (command === 'setup-link') return printSetupLink(config);
  if (command === 'rotate-encryption-key') return rotateKey(config);
  if (command === 'demo-data') return changeDemoData(options.length > 0);
  void stopSignal.then(limitStopTime);
  warnOfMisspelledSettings();
  const { dataDir, databaseUrl, host, port, operationPort } = config;
  // A lost setting must not start a new, empty database.
  if (!databaseUrl && process.env.NODE_ENV === 'production') {
    throw new ConfigError(
      'DATABASE_URL must be set where NODE_ENV is production: the embedded Postgres is for a trial',
    );
  }
  const embedded = databaseUrl
    ? undefined
    : await attributeErrorsTo(`DATA_DIR ${dataDir}`, () => startEmbeddedPostgres({ dataDir, notify: print }));
  try {
    const url = embedded?.url ?? databaseUrl!;
    const app = await attributeErrorsTo(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, async () => {
      if (databaseUrl) await unlessStopped(waitForDatabase(databaseUrl, print));
      await unlessStopped(migrate(url, print));
      return unlessStopped(createApp(config.onDatabase(url), output));
    });
    // Nest's own `listen` would log a failure that is already reported below.
    const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
    const listen = async () => {
      const { operation } = fastify;
      if (operation) {
        const where = `HOST ${host} with OPERATION_PORT ${operationPort}`;
        await attributeErrorsTo(where, () => listenAt(operation, { port: operationPort, host }));
      }
      return attributeErrorsTo(`HOST ${host} with PORT ${port}`, () => fastify.listen({ port, host }));
    };
    const address = await listen().catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    if (embedded) await createExample(app, address, commandLine('demo-data'), print);
    if (config.passwords) await offerSetup(url, config.publicUrl ?? address);
    if (config.sendNothing) print('SEND_NOTHING is set: this process sends no webhooks and no mails');
    print(
      `Retention Flow Service is ready on ${address} (console: ${address}/console, docs: ${address}/docs, demo: ${address}/demo)`,
    );

    const reason = await Promise.race([stopSignal, ...(embedded ? [embedded.lost] : [])]);
    if (reason instanceof Error) {
      process.exitCode = 1;
      limitStopTime();
    }
    print(`Stopping: ${reason instanceof Error ? reason.message : reason}`);
    // SIGTERM comes from a service manager, and load balancers need time to notice. Ctrl-C comes from a person who is
    // waiting.
    await app.get(DrainService).drain(reason === 'SIGTERM' ? ACCEPT_MS : 0);
    await app.close();
  } finally {
    await embedded?.stop();
  }
}

/** Refuses what is no command, and what a command does not take. */
function checkCommand(command: string, options: string[]): void {
  if (!COMMANDS.includes(command)) {
    throw new ConfigError(`There is no command "${command}", only ${COMMANDS.join(', ')}`);
  }
  const taken = command === 'demo-data' ? ['--remove'] : [];
  const refused = options.find((option) => !taken.includes(option));
  if (refused !== undefined) throw new ConfigError(`${command} does not take "${refused}"`);
}

/** `node dist/src/main.js migrate`: brings the schema up to date, for a service whose role may not. */
async function migrateOnly({ databaseUrl }: Config): Promise<void> {
  if (!databaseUrl) throw new ConfigError('DATABASE_URL must be set: the embedded Postgres is migrated at each start');
  await attributeErrorsTo('DATABASE_URL', async () => {
    await waitForDatabase(databaseUrl, print);
    await migrate(databaseUrl, print);
  });
  print('The database is up to date');
}

/** `node dist/src/main.js setup-link`: prints a new link for the first person, beside a service that runs. */
async function printSetupLink(config: Config): Promise<void> {
  const { databaseUrl, dataDir, publicUrl, host, port } = config;
  if (!config.passwords) throw new ConfigError('PASSWORDS must be on: the first person chooses one');
  const link = await attributeErrorsTo(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, () =>
    createSetupLink(databaseUrl ?? runningEmbeddedPostgres(dataDir), publicUrl ?? `http://${reachable(host)}:${port}`),
  );
  if (!link) throw new ConfigError('There is a person already: an owner invites others, and the operator owners');
  print(link);
}

/** How to run a command of this program: by npm in a checkout, or as the file that was started. */
function commandLine(command: string, ...options: string[]): string {
  const isByNpm = ['start', command].includes(process.env.npm_lifecycle_event ?? '');
  if (isByNpm) return ['npm run', command, ...(options.length > 0 ? ['--', ...options] : [])].join(' ');
  const [node, file] = process.argv.map((path) => (path.includes(' ') ? `"${path}"` : path));
  return [...(/\.js"?$/.test(file) ? [node] : []), file, command, ...options].join(' ');
}

/** A HOST as it stands in an address that opens on this machine (RFC 3986, 3.2.2). */
function reachable(host: string): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * `node dist/src/main.js demo-data [--remove]`: fills the example workspace, beside a service that runs, or takes that
 * away.
 */
async function changeDemoData(isRemoval: boolean): Promise<void> {
  const config = Config.fromEnv({ ...process.env, BACKGROUND_JOBS: 'false' });
  const { databaseUrl, dataDir } = config;
  await attributeErrorsTo(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, async () => {
    const app = await createApp(config.onDatabase(databaseUrl ?? runningEmbeddedPostgres(dataDir)), output);
    try {
      if (isRemoval) {
        const isRemoved = await removeDemoData(app);
        return print(isRemoved ? 'The example data is gone' : 'There is no example data');
      }
      const added = await addDemoData(app);
      const removal = `${commandLine('demo-data', '--remove')} takes the example data away`;
      if (!added) return print(`It is there already: ${removal}`);
      print(
        `The workspace "${added.workspace}" has ${added.sessions} made-up sessions of the last 60 days now, in the flow "${DEMO_FLOW}". ${removal}`,
      );
      if (added.apiKey) print(`Its API key is shown only this once: ${added.apiKey}`, { api_key: added.apiKey });
    } finally {
      await app.close();
    }
  });
}

/**
 * `node dist/src/main.js rotate-encryption-key`: stores the secrets of connections anew, beside a service that runs
 * with both keys.
 */
async function rotateKey({ databaseUrl, dataDir, encryptionKeys }: Config): Promise<void> {
  if (encryptionKeys.length !== 2) throw new ConfigError('ENCRYPTION_KEY and PREVIOUS_ENCRYPTION_KEY must both be set');
  const { stored, lost } = await attributeErrorsTo(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, () =>
    rotateEncryptionKey(databaseUrl ?? runningEmbeddedPostgres(dataDir), encryptionKeys),
  );
  print(`${stored} billing connections are stored with ENCRYPTION_KEY now, and ${lost} can't be read with either key`);
}

/** The first start on a database prints how to become its first person. */
async function offerSetup(url: string, base: string): Promise<void> {
  const link = await createSetupLink(url, base, true);
  if (!link) return;
  const text = `
Sign in to the console as its first person, an owner. The link works once, within an hour:

  ${link}
`;
  print(text, { setup_link: link });
}

function warnOfMisspelledSettings(): void {
  const misspelled = misspelledSettings(process.env);
  if (misspelled.length === 0) return;
  const list = misspelled.map(({ name, meant }) => `${name} (${meant}?)`).join(', ');
  print(`These environment variables are not settings, and are ignored: ${list}`, { misspelled }, 'warn');
}

/**
 * Turns an error of the system (port in use) or of Postgres (permission denied) into a ConfigError that names the
 * setting.
 */
async function attributeErrorsTo<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hasErrorCode = typeof code === 'string' && /^(E[A-Z_]+|[0-9A-Z]{5})$/.test(code);
    // If a host has several addresses and all fail, the error has a code but no message.
    throw hasErrorCode ? new ConfigError(`${setting} can't be used: ${message || code}`) : error;
  }
}

/** A signal came before the service listened, so nobody waits for an answer. */
class StoppedEarly extends Error {}

/** What is awaited, unless a signal comes before. */
function unlessStopped<T>(work: Promise<T>): Promise<T> {
  const stopped = stopSignal.then((signal) => Promise.reject(new StoppedEarly(`Stopping: ${signal}`)));
  return Promise.race([work, stopped]);
}

/** Ends the process before a service manager kills it, even if something hangs. */
function limitStopTime(): void {
  const end = () => {
    print('Stopping took too long: exiting with work unfinished');
    process.exit();
  };
  setTimeout(end, STOP_MS).unref();
}

main(...process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof StoppedEarly) {
    print(error.message);
    // What was under way, such as a migration, would keep the process alive. Postgres takes back what is not committed.
    process.exit();
  }
  console.error(error instanceof ConfigError ? error.message : error);
  // Anything opened before would keep the process alive, though nothing listens.
  process.exit(1);
});
