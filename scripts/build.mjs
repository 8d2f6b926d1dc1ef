// @ts-check
import { execSync } from 'node:child_process';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Builds the service into dist. With `--if-changed`, only if a file was changed, added or removed since the last build,
 * and if the packages that build it are installed.
 *
 * The old dist stays until the new one is whole: a service that runs from it goes on, and a build that fails changes
 * nothing.
 */

/** Where `tsconfig.build.json` lets Nest put what it compiles. As deep as dist, so that maps lead to the source. */
const NEW = 'dist.new';
const OLD = 'dist.old';
/** In dist: the files that it was built from, and when each was changed. */
const BUILT_FROM = 'built-from';
const READ = [
  'src',
  'migrations',
  'web',
  'scripts',
  'client/dialog',
  'client/headless',
  'client/schema',
  'client/src',
  'ormconfig.ts',
  'docs/openapi.json',
  'node_modules/.package-lock.json',
];
const READ_HERE = /\.json$/;

/** A line for each file of these paths. What a build writes is none of them. @returns {Promise<string[]>} */
async function linesOf(/** @type {string[]} */ paths) {
  const lines = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      if (!found?.isDirectory()) return found ? [`${path} ${found.mtimeMs}`] : [];
      const names = (await readdir(path)).filter((name) => name !== 'dist');
      return linesOf(names.map((name) => join(path, name)));
    }),
  );
  return lines.flat();
}

const isAsked = !process.argv.includes('--if-changed');
const lines = await linesOf([...READ, ...(await readdir('.')).filter((name) => READ_HERE.test(name))]);
const files = lines.toSorted().join('\n');
const builtFrom = await readFile(join('dist', BUILT_FROM), 'utf8').catch(() => undefined);
const canBuild = await stat('node_modules/@nestjs/cli').catch(() => undefined);
if (!canBuild && (isAsked || builtFrom === undefined)) {
  console.error(
    'Nothing is built, and `npm ci --omit=dev` leaves out what builds it: run `npm ci && npm run build` first.',
  );
  process.exit(1);
}
if (canBuild && (isAsked || files !== builtFrom)) {
  execSync(`nest build && node scripts/bundle-service.mjs ${NEW} && node web/build.mjs ${NEW}/web/dist`, {
    stdio: 'inherit',
  });
  await writeFile(join(NEW, BUILT_FROM), files);
  await rm(OLD, { recursive: true, force: true });
  if (await stat('dist').catch(() => undefined)) await rename('dist', OLD);
  await rename(NEW, 'dist');
  await rm(OLD, { recursive: true, force: true });
}
