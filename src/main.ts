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

/** After SIGTERM new connections are still taken for so long. */
const ACCEPT_MS = 3000;
const STOP_MS = 9000;

const output = new Output();
const print = notifyOn(output);

async function main(): Promise<void> {
  const config = Config.fromEnv(process.env);
  const { dataDir, databaseUrl, host, port } = config;
  const embedded = databaseUrl
    ? undefined
    : await using(`DATA_DIR ${dataDir}`, () => startEmbeddedPostgres({ dataDir, notify: print }));
  try {
    const url = embedded?.url ?? databaseUrl!;
    const app = await using(databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`, async () => {
      if (databaseUrl) await waitForDatabase(databaseUrl, print);
      await migrate(url);
      return createApp(config.onDatabase(url), output);
    });
    // Nest's own `listen` would log what goes wrong, before it is said here.
    const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
    const listening = using(`HOST ${host} with PORT ${port}`, () => fastify.listen({ port, host }));
    const address = await listening.catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    if (embedded) await createExample(app, address, print);
    print(`Retention Flow Service is ready on ${address} (docs: ${address}/docs)`);

    const reason = await Promise.race([untilSignal(), ...(embedded ? [embedded.lost] : [])]);
    if (reason instanceof Error) process.exitCode = 1;
    boundTheStop();
    print(`Stopping: ${reason instanceof Error ? reason.message : reason}`);
    // SIGTERM comes from a service manager, and other machines have yet to learn of it. Ctrl-C comes from somebody who waits.
    await app.get(DrainService).drain(reason === 'SIGTERM' ? ACCEPT_MS : 0);
    await app.close();
  } finally {
    await embedded?.stop();
  }
}

/** Says of an error of the system (a port that is taken) or of Postgres (a schema that may not be changed) which setting led to it. */
async function using<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfSetting = typeof code === 'string' && /^(E[A-Z_]+|[0-9A-Z]{5})$/.test(code);
    // Several addresses that all refuse come as one error without a message.
    throw isOfSetting ? new ConfigError(`${setting} can't be used: ${message || code}`) : error;
  }
}

/** More of the same signal changes nothing: npm, for one, sends a second SIGINT for each Ctrl-C. */
function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
}

/** Whatever hangs, the process ends before a service manager loses its patience. */
function boundTheStop(): void {
  const end = () => {
    print('Stopping took too long: what was left is given up');
    process.exit();
  };
  setTimeout(end, STOP_MS).unref();
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
});
