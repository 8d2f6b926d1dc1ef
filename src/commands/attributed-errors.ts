import { runningEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres';
import { type Config, ConfigError } from '../settings/config';

/**
 * Turns an error of the system (port in use) or of Postgres (permission denied) into a ConfigError that names the
 * setting.
 */
export async function attributeErrorsTo<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hasErrorCode = typeof code === 'string' && /^(E[A-Z_]+|[0-9A-Z]{5})$/.test(code);
    // If a host has several addresses and all fail, the error has a code but no message.
    throw hasErrorCode ? new ConfigError(`${setting} can't be used: ${message || code}`) : error;
  }
}

/** The setting that says where the database is. */
export function databaseSetting({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? 'DATABASE_URL' : `DATA_DIR ${dataDir}`;
}

/** Works on the database of the service that runs, also if that is the embedded one. */
export function onRunningDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config;
  return attributeErrorsTo(databaseSetting(config), async () => work(databaseUrl ?? runningEmbeddedPostgres(dataDir)));
}
