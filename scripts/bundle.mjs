// @ts-check
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

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

/** Puts code for Node and the packages that it uses into one CommonJS file. */
export async function bundle(/** @type {import('esbuild').BuildOptions} */ options) {
  const result = await build({
    ...options,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node20.19',
    define: { ...options.define, 'import.meta.url': 'import_meta_url' },
    // The directive has to come first. Without it the packages would run in sloppy mode, a tenth slower.
    banner: { js: `'use strict'; const import_meta_url = require('node:url').pathToFileURL(__filename).href;` },
    external: [...NOT_INSTALLED, 'swagger-ui-dist'],
    plugins: [followOwnRequire],
    logLevel: 'warning',
  });
  if (!followed) throw new Error(`No package of Nest has the line "${ownRequire}" any more: see followOwnRequire`);
  return result;
}
