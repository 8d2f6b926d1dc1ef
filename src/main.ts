import type { FastifyInstance } from 'fastify';
import { createApp } from './app';
import { Config, ConfigError } from './config';
import { startEmbeddedPostgres } from './database/embedded/embedded-postgres';
import { migrate } from './database/migrate';
import { waitForDatabase } from './database/wait-for-database';
import { createExample } from './example';
import { Output } from './http/output';
import { notifyOn } from './http/request-log';
import { DrainService } from './operation/drain.service';

/** How long new connections are still accepted after SIGTERM. */
const ACCEPT_MS = 3000;
/** How long the whole stop may take. */
const STOP_MS = 9000;

const output = new Output();
const print = notifyOn(output);

async function main(): Promise<void> {
  const config = Config.fromEnv(process.env);
  const { dataDir, databaseUrl, host, port } = config;
  const embedded = databaseUrl
    ? undefined
    : await attributeErrorsTo(`DATA_DIR ${dataDir}`, () => startEmbeddedPostgres({ dataDir, notify: print }));
  try {
    const url = embedded?.url ?? databaseUrl!;
    const app = await attributeErrorsTo(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, async () => {
      if (databaseUrl) await waitForDatabase(databaseUrl, print);
      await migrate(url);
      return createApp(config.onDatabase(url), output);
    });
    // Nest's own `listen` would log a failure that is already reported below.
    const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
    const listening = attributeErrorsTo(`HOST ${host} with PORT ${port}`, () => fastify.listen({ port, host }));
    const address = await listening.catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    if (embedded) await createExample(app, address, print);
    const signaled = untilSignal();
    print(
      `Retention Flow Service is ready on ${address} (console: ${address}/console, docs: ${address}/docs, demo: ${address}/demo)`,
    );

    const reason = await Promise.race([signaled, ...(embedded ? [embedded.lost] : [])]);
    if (reason instanceof Error) process.exitCode = 1;
    limitStopTime();
    print(`Stopping: ${reason instanceof Error ? reason.message : reason}`);
    // SIGTERM comes from a service manager, and load balancers need time to notice. Ctrl-C comes from a person who is waiting.
    await app.get(DrainService).drain(reason === 'SIGTERM' ? ACCEPT_MS : 0);
    await app.close();
  } finally {
    await embedded?.stop();
  }
}

/** Turns an error of the system (port in use) or of Postgres (permission denied) into a ConfigError that names the setting. */
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

/** Further signals are ignored: npm, for one, sends a second SIGINT for each Ctrl-C. */
function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
}

/** Ends the process before a service manager kills it, even if something hangs. */
function limitStopTime(): void {
  const end = () => {
    print('Stopping took too long: exiting with work unfinished');
    process.exit();
  };
  setTimeout(end, STOP_MS).unref();
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
});
