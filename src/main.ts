import { createApp } from './app';
import { Config, ConfigError } from './config';
import { DataDirInUseError, startEmbeddedPostgres } from './database/embedded/embedded-postgres';
import { createExample } from './example';

async function main(): Promise<void> {
  const config = Config.fromEnv(process.env);
  const { dataDir, databaseUrl, host, port } = config;
  const embedded = databaseUrl
    ? undefined
    : await using(`DATA_DIR ${dataDir}`, () => startEmbeddedPostgres({ dataDir, notify: print }));
  try {
    const app = await using('DATABASE_URL', () => createApp(embedded ? config.onDatabase(embedded.url) : config));
    await using(`HOST ${host} with PORT ${port}`, () => app.listen(port, host)).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    const address = await app.getUrl();
    if (embedded) await createExample(app, address, print);
    print(`Retention Flow Service is ready on ${address} (docs: ${address}/docs)`);

    const reason = await Promise.race([untilSignal(), ...(embedded ? [embedded.lost] : [])]);
    if (reason instanceof Error) process.exitCode = 1;
    print(`Stopping: ${reason instanceof Error ? reason.message : reason}`);
    await app.close();
  } finally {
    await embedded?.stop();
  }
}

/** Says of an error of the system (a port that is taken, a host that can't be reached) which setting led to it. */
async function using<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfSystem = typeof code === 'string' && /^E[A-Z_]+$/.test(code);
    // Several addresses that all refuse come as one error without a message.
    throw isOfSystem ? new ConfigError(`${setting} can't be used: ${message || code}`) : error;
  }
}

function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof DataDirInUseError;
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
