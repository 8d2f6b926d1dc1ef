import { createApp } from './app';
import { Config, ConfigError } from './config';
import { DataDirInUseError, startEmbeddedPostgres } from './database/embedded/embedded-postgres';
import { createExample } from './example';

async function main(): Promise<void> {
  const config = Config.fromEnv(process.env);
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, notify: print });
  try {
    const app = await createApp(embedded ? config.onDatabase(embedded.url) : config);
    await app.listen(config.port, config.host);
    const address = await app.getUrl();
    if (embedded) await createExample(app, address, print);
    print(`Retention Flow Service is ready on ${address} (docs: ${address}/docs)`);

    const reason = await Promise.race([untilSignal(), ...(embedded ? [embedded.lost] : [])]);
    if (reason instanceof Error) {
      process.exitCode = 1;
      console.error(reason.message);
    }
    await app.close();
  } finally {
    await embedded?.stop();
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
