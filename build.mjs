// @ts-check
import { execSync } from 'node:child_process';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Builds the service into dist. With `--if-changed`, only if a file was changed, added or removed since the last whole build. */

const BUILT = 'dist/built';
const READ = ['src', 'migrations', 'web', 'client/src', 'ormconfig.ts', 'node_modules/.package-lock.json'];
const READ_HERE = /\.(mjs|json)$/;

/** When a file was changed, or anything in a folder. Zero if it is not there. */
async function changedAt(/** @type {string} */ path) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const names = (await readdir(path)).filter((name) => name !== 'dist');
  /** @type {number} */
  const newest = await newestOf(names.map((name) => join(path, name)));
  return Math.max(found.mtimeMs, newest);
}

/** @returns {Promise<number>} */
async function newestOf(/** @type {string[]} */ paths) {
  return Math.max(0, ...(await Promise.all(paths.map(changedAt))));
}

const isAsked = !process.argv.includes('--if-changed');
const read = [...READ, ...(await readdir('.')).filter((name) => READ_HERE.test(name))];
if (isAsked || (await newestOf(read)) >= (await changedAt(BUILT))) {
  const began = new Date();
  // Nest empties dist first: without the file at the end, a build is not whole.
  execSync('nest build && npm run --silent bundle', { stdio: 'inherit' });
  await writeFile(BUILT, '');
  await utimes(BUILT, began, began);
}
