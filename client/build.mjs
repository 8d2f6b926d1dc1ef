// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lookInPage } from './dialog/look.mjs';
import { licensesOf } from '../scripts/licenses.mjs';
import { interfaceSchemas, sampleEvents } from './interface-schemas.mjs';
import { forBrowser } from './testing/browser/bundling.mjs';

/**
 * Builds the package into dist: ES modules with their types, the same for CommonJS, and the command in two files, with the licenses
 * of the packages in them.
 */

const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

await rm('dist', { recursive: true, force: true });
execFileSync(process.execPath, [TSC, '-p', '.'], { stdio: 'inherit' });

// A program in CommonJS reads types of CommonJS: the same declarations, in a folder whose package.json says so.
execFileSync(process.execPath, [TSC, '-p', '.', '--emitDeclarationOnly', '--outDir', 'dist/cjs'], { stdio: 'inherit' });
await writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n');

// Older versions of TypeScript don't find `./client.ts` where there is a `client.d.ts`.
const withScripts = (/** @type {string} */ types) =>
  types.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.tsx?(['"])/g, '$1.js$2');
for (const name of await readdir('dist', { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const types = await readFile(join('dist', name), 'utf8');
  await writeFile(join('dist', name), withScripts(types));
}

const shared = /** @type {const} */ ({ bundle: true, format: 'cjs', logLevel: 'warning' });
await build({
  ...shared,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/cjs/index.js',
  platform: 'neutral',
  target: 'es2023',
});
const command = /** @type {const} */ ({ ...shared, platform: 'node', target: 'node20.19', metafile: true });
const main = await build({
  ...command,
  entryPoints: ['command/main.ts'],
  outfile: 'dist/command.cjs',
  plugins: [
    {
      name: 'mcp-apart',
      setup: (esbuild) => esbuild.onResolve({ filter: /^\.\/mcp\.ts$/ }, () => ({ path: './mcp.cjs', external: true })),
    },
  ],
});
const mcp = await build({
  ...command,
  entryPoints: ['command/mcp.ts'],
  outfile: 'dist/mcp.cjs',
  minify: true,
  plugins: [interfaceSchemas(['UpdateFlowDraft', 'UpdateOfferDraft', 'CreateFlow'])],
});
// For tests: of Node, and apart, so that no page gets it. What a program imports beside it is the same client.
const testing = /** @type {const} */ ({
  bundle: true,
  logLevel: 'warning',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  entryPoints: ['testing/index.ts'],
  plugins: [
    sampleEvents(),
    {
      name: 'client-apart',
      setup: (esbuild) =>
        esbuild.onResolve({ filter: /^\.\.\/src\/index\.ts$/ }, () => ({ path: '../index.js', external: true })),
    },
  ],
});
const kits = [
  // What is bundled of CommonJS asks for packages of Node.
  await build({
    ...testing,
    format: 'esm',
    outfile: 'dist/testing/index.js',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  }),
  await build({ ...testing, format: 'cjs', outfile: 'dist/cjs/testing/index.js' }),
];
await declare('testing', 'client/testing');

// For pages: a file each. Next takes what says "use client" into a page, and runs it on the server before.
const page = /** @type {const} */ ({
  bundle: true,
  logLevel: 'warning',
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  external: ['react', 'react/jsx-runtime'],
  jsx: 'automatic',
  plugins: [lookInPage],
});
for (const [part, banner] of /** @type {const} */ ([
  ['headless', ''],
  ['react', "'use client';"],
])) {
  const entryPoints = [`${part}/index.ts`];
  await build({ ...page, entryPoints, banner: { js: banner }, format: 'esm', outfile: `dist/${part}/index.js` });
  await build({ ...page, entryPoints, banner: { js: banner }, format: 'cjs', outfile: `dist/cjs/${part}/index.js` });
}
// For pages in tests.
const fake = /** @type {const} */ ({
  ...page,
  ...forBrowser,
  metafile: true,
  entryPoints: ['testing/browser/index.ts'],
});
kits.push(
  await build({ ...fake, format: 'esm', outfile: 'dist/testing/browser/index.js' }),
  await build({ ...fake, format: 'cjs', outfile: 'dist/cjs/testing/browser/index.js' }),
);
await declare('testing/browser', 'client/testing/browser');
await declare('headless', 'headless');
await declare('react', 'client/react', 'client/dialog');

/**
 * Makes the types of a part with those that it imports, which lie beside the client's in the package.
 *
 * @param {string} part its folder
 * @param {string[]} made where the compiler puts them
 */
async function declare(part, ...made) {
  const declared = `../.cache/${part.replace('/', '-')}-types`;
  await rm(declared, { recursive: true, force: true });
  const declaring = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', declared];
  execFileSync(process.execPath, [TSC, '-p', part, ...declaring], { stdio: 'inherit' });
  for (const from of made) {
    for (const name of await readdir(join(declared, from))) {
      if (!name.endsWith('.d.ts')) continue;
      const types = await readFile(join(declared, from, name), 'utf8');
      const to = from.replace('client/', '');
      for (const folder of [`dist/${to}`, `dist/cjs/${to}`]) {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, name), withScripts(types.replaceAll(/'((?:\.\.\/)+)src\//g, "'$1")));
      }
    }
  }
}

const { text } = await licensesOf([main, mcp, ...kits].flatMap(({ metafile }) => Object.keys(metafile.inputs)));
await writeFile('dist/THIRD_PARTY_LICENSES.txt', text);
