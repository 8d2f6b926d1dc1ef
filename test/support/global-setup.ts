import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config as JestConfig } from '@jest/types';
import { Client } from 'pg';
import { EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { migrate } from '../../src/platform/database/schema/migrate';
import { databaseName, SERVER_URL, withDatabase } from './database';

declare global {
  var testPostgres: { server: EmbeddedPostgres; folder: string } | undefined;
}

/**
 * Builds the widget, bundles the packages, starts Postgres once (TEST_DATABASE_URL names another) and makes a database
 * for each worker.
 */
export default async function setup({ maxWorkers, rootDir }: JestConfig.GlobalConfig): Promise<void> {
  execFileSync(process.execPath, ['web/build.mjs', 'web/dist'], { cwd: rootDir });
  execFileSync(process.execPath, ['test/support/bundle-packages.mjs'], { cwd: rootDir });
  process.env[SERVER_URL] = process.env.TEST_DATABASE_URL ?? (await startServer());
  for (let worker = 1; worker <= maxWorkers; worker++) await recreate(databaseName(worker));
}

async function startServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'retention-flow-test-'));
  // As root, Postgres runs under another account, which has to get in.
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  globalThis.testPostgres = { server, folder };
  return server.url;
}

/** Each is migrated by itself: a template to copy would have to be free of connections, and a pooler keeps some. */
async function recreate(name: string): Promise<void> {
  const client = new Client(process.env[SERVER_URL]);
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  await migrate(withDatabase(name));
}
