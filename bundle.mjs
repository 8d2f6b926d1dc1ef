// @ts-check
import { cp, readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * Puts the compiled service and all its packages into one file, dist/src/main.js: Node would spend most of the start on
 * finding and reading 2,400 files. What the service reads from packages at run time goes to dist/node_modules, so that dist
 * runs wherever it is copied. Only the embedded Postgres stays where npm installed it.
 */

const MAIN = 'dist/src/main.js';
const SWAGGER_UI = [
  'package.json',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
];

/** Optional parts of Nest and pg that the service does not use. They are not installed. */
const NOT_INSTALLED = [
  '@fastify/cors',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer/storage',
  'pg-native',
];

/** esbuild follows `require`, but not the `require` that ES modules make for themselves. */
const ownRequire = 'const require = createRequire(import.meta.url);';
let followed = false;
const followOwnRequire = {
  name: 'follow-own-require',
  setup: (/** @type {import('esbuild').PluginBuild} */ esbuild) =>
    esbuild.onLoad({ filter: /node_modules\/@nestjs\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      followed ||= text.includes(ownRequire);
      return { contents: text.replace(ownRequire, '') };
    }),
};

const { metafile } = await build({
  entryPoints: [MAIN],
  outfile: MAIN,
  allowOverwrite: true,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20.19',
  sourcemap: 'linked',
  sourcesContent: false,
  define: { 'import.meta.url': 'import_meta_url' },
  // The directive has to come first. Without it the packages would run in sloppy mode, a tenth slower.
  banner: { js: `'use strict'; const import_meta_url = require('node:url').pathToFileURL(__filename).href;` },
  external: [...NOT_INSTALLED, 'swagger-ui-dist'],
  plugins: [followOwnRequire],
  logLevel: 'warning',
});

if (!followed) throw new Error(`No package of Nest has the line "${ownRequire}" any more: see followOwnRequire`);

for (const file of SWAGGER_UI) {
  await cp(`node_modules/swagger-ui-dist/${file}`, `dist/node_modules/swagger-ui-dist/${file}`);
}

await writeFile('dist/src/inputs.json', JSON.stringify(Object.keys(metafile.inputs)));
