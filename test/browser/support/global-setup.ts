import type { Config as JestConfig } from '@jest/types';
import startPostgres from '../../support/global-setup';
import { missingBrowsers } from './browsers';

/** In CI a missing browser is a failure. Elsewhere its tests are skipped, and a line says so. */
export default async function setup(config: JestConfig.GlobalConfig): Promise<void> {
  const missing = missingBrowsers();
  if (missing && process.env.CI) throw new Error(missing);
  if (missing) process.stderr.write(`${missing}\n`);
  await startPostgres(config);
}
