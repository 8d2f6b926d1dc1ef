// @ts-check
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licensesOf } from '../scripts/licenses.mjs';
import { interfaceSchemas } from './interface-schemas.mjs';

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
for (const name of await readdir('dist', { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const types = await readFile(join('dist', name), 'utf8');
  await writeFile(join('dist', name), types.replaceAll(/((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
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
const { text } = await licensesOf([main, mcp].flatMap(({ metafile }) => Object.keys(metafile.inputs)));
await writeFile('dist/THIRD_PARTY_LICENSES.txt', text);
