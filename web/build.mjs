// @ts-check
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import { lookInShadow } from '../client/dialog/look.mjs';
import { compiled } from '../client/schema/compiled.mjs';
import { namesOf, shapeOf } from './definition-schema.mjs';

/**
 * Builds the widget, the console, and the pages of the start, the demo, of previews, of a flow and of the docs, which the service serves,
 * into the folder that is given: `web/dist` for the source in `src`, `dist/web/dist` for `dist/src/main.js`. Either way it is `../web/dist` from
 * the code that serves it.
 */

const outdir = resolve(process.argv[2]);
const COPIED = [
  'widget/v1.d.ts',
  'demo/demo.html',
  'demo/canceled.html',
  'demo/logo.svg',
  'preview/preview.html',
  'docs/docs.html',
  'docs/docs.css',
  'console/console.html',
  'start/start.html',
];

/** `@retention-flow/definition-schema` checks the shape of a definition. */
const definitionSchema = {
  name: 'definition-schema',
  setup: (/** @type {import('esbuild').PluginBuild} */ esbuild) => {
    const filter = /^@retention-flow\/definition-schema$/;
    esbuild.onResolve({ filter }, ({ path }) => ({ path, namespace: 'made' }));
    esbuild.onLoad({ filter, namespace: 'made' }, async () => {
      const document = JSON.parse(await readFile(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'));
      const names = `export const names = ${JSON.stringify(namesOf(document))};`;
      return { contents: compiled({ validate: shapeOf(document) }) + names, loader: 'js' };
    });
  },
};

/** @type {string[]} */
const inputs = [];

async function bundle(/** @type {import('esbuild').BuildOptions} */ options) {
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    outdir,
    bundle: true,
    target: 'es2020',
    logLevel: 'warning',
    ...options,
    metafile: true,
  });
  inputs.push(...Object.keys(metafile.inputs).map((path) => join('web', path)));
}

/** swc makes it 3 % smaller than esbuild does. */
async function minifyWidget(/** @type {string} */ name, /** @type {boolean} */ module) {
  const file = join(outdir, name);
  const options = { module, compress: true, mangle: { toplevel: true }, ecma: 2020 };
  const { code } = await minify(await readFile(file, 'utf8'), options);
  await writeFile(file, code);
}

const widget = { minify: true, plugins: [lookInShadow] };
await bundle({ entryPoints: { v1: 'widget/v1.ts' }, format: 'iife', ...widget });
await bundle({ entryPoints: { v1: 'widget/module.ts' }, format: 'esm', outExtension: { '.js': '.mjs' }, ...widget });
await Promise.all([minifyWidget('v1.js', false), minifyWidget('v1.mjs', true)]);
// People read the source of the demo.
await bundle({ entryPoints: ['demo/demo.ts', 'demo/demo.css'], outbase: 'demo', format: 'iife' });
await bundle({
  entryPoints: ['preview/preview.ts', 'preview/preview.css'],
  outbase: 'preview',
  format: 'iife',
  minify: true,
});
await bundle({ entryPoints: ['leave/leave.ts'], outbase: 'leave', format: 'iife', minify: true });
await bundle({ entryPoints: ['start/start.css'], outbase: 'start', minify: true });
await bundle({ entryPoints: ['docs/docs.ts'], format: 'iife', minify: true });
await bundle({
  entryPoints: ['console/console.tsx'],
  outbase: 'console',
  format: 'esm',
  target: 'es2022',
  minify: true,
  // The editor of flows is loaded when it is opened: editor.js, and chunk.js for what it shares with the console.
  splitting: true,
  chunkNames: '[name]',
  // The page of the brand shows the look of the widget.
  plugins: [definitionSchema, lookInShadow],
  alias: {
    '@retention-flow/flow-faults': join(import.meta.dirname, '../src/flows/graph/flow-faults.ts'),
    '@retention-flow/split-warnings': join(import.meta.dirname, '../src/flows/graph/split-warnings.ts'),
  },
  tsconfig: join(import.meta.dirname, 'console/tsconfig.json'),
});
await bundle({ entryPoints: ['console/console.css'], outbase: 'console', minify: true });
for (const file of COPIED) await copyFile(join(import.meta.dirname, file), join(outdir, basename(file)));
await copyFile(join(import.meta.dirname, 'console/icon.svg'), join(outdir, 'console.svg'));
await writeFile(join(outdir, 'inputs.json'), JSON.stringify(inputs));
