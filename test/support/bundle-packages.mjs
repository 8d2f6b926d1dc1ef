// @ts-check
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { bundle } from '../../scripts/bundle.mjs';
import packages from './bundled-packages.js';

/** Puts the packages of the service into one file for the tests, which loads twice as fast as 2,400 files. */

const SOURCES = [
  'package.json',
  'node_modules/.package-lock.json',
  'scripts/bundle.mjs',
  'test/support/bundled-packages.js',
];
const timeOf = (/** @type {string} */ file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
const newest = Math.max(...(await Promise.all(SOURCES.map(timeOf))));

if ((await timeOf(packages.bundle)) < newest) {
  await mkdir('.cache/packages', { recursive: true });
  for (const [name, file] of Object.entries(packages.files)) {
    await writeFile(file, `module.exports = require('./bundle')['${name}']();\n`);
  }
  const entries = Object.keys(packages.files).map((name) => `'${name}': () => require('${name}')`);
  const contents = `module.exports = { ${entries.join(', ')} };`;
  await bundle({ stdin: { contents, resolveDir: '.' }, outfile: packages.bundle });
}
