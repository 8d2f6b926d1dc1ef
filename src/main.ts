// First: loading the others takes a second, in which a signal may come.
import { stopSignal } from './app/stop-signal';
import type { FastifyInstance } from 'fastify';
import { createApp } from './app/app';
import { Config, ConfigError } from './settings/config';
import { startEmbeddedPostgres } from './platform/database/embedded/embedded-postgres';
import { migrate } from './platform/database/schema/migrate';
import { waitForDatabase } from './platform/database/connection/client';
import { attributeErrorsTo, databaseSetting } from './commands/attributed-errors';
import { commandLine } from './commands/command-line';
import { commandNamed } from './commands/commands';
import { createExample } from './app/example/example';
import { listenAt } from './platform/http/server/operation-port';
import { Output } from './platform/http/log/output';
import { notifyOn } from './platform/http/log/request-log';
import { misspelledSettings } from './settings/misspelled';
import { DrainService } from './app/operation/drain.service';
import { createSetupLink } from './people/links/setup-link';

/** How long new connections are still accepted after SIGTERM. */
const ACCEPT_MS = 3000;
/** How long the whole stop may take. */
const STOP_MS = 9000;
/** How a command exits that SIGTERM has ended, as a shell says it. */
const STOPPED = 143;

const output = new Output();
const print = notifyOn(output);

async function main(command?: string, ...options: string[]): Promise<void> {
  const config = Config.fromEnv(process.env);
  if (command !== undefined) {
    const known = commandNamed(command, options);
    void stopSignal.then(() => process.exit(STOPPED));
    return known.run({ config, env: process.env, options, print, output });
  }
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
    : await attributeErrorsTo(databaseSetting(config), () => startEmbeddedPostgres({ dataDir, notify: print }));
  try {
    const url = embedded?.url ?? databaseUrl!;
    const app = await attributeErrorsTo(databaseSetting(config), async () => {
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
    if (embedded) await createExample(app, address, commandLine(process.env, 'demo-data'), print);
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
