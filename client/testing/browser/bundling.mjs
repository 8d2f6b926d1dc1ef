// @ts-check
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { build, transform } from 'esbuild';
import { without } from '../../interface-schemas.mjs';
import { compiled } from '../../schema/compiled.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const LEFT_OUT = ['description', 'example', 'examples', 'default', 'mapping'];

/**
 * Puts checks into a bundle as `shapes`: of a document, as far as a walk needs it, and of a step.
 *
 * @type {import('esbuild').Plugin}
 */
const shapes = {
  name: 'shapes',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^shapes$/ }, ({ path }) => ({ path, namespace: 'shapes' }));
    esbuild.onLoad({ filter: /.*/, namespace: 'shapes' }, async () => {
      const document = JSON.parse(await readFile(at('../../../docs/openapi.json'), 'utf8'));
      const { configSchema, schemaOf } = await moduleOf('../../../src/app/openapi/config-schema.ts');
      const config = configSchema(document);
      const { Config, ConfigFlow, UpdateOwnWorkspace } = config.$defs;
      // Editors know of other files, which may have the rest of a thing. Here, the document is all.
      for (const name of ['ConfigFlow', 'ConfigOffer', 'ConfigAudience'])
        config.$defs[name].required = document.components.schemas[name].required;
      const { primary_color, logo_url } = UpdateOwnWorkspace.properties;
      Object.assign(UpdateOwnWorkspace, { properties: { primary_color, logo_url }, additionalProperties: true });
      Config.properties.webhooks = true;
      ConfigFlow.properties.exit = true;
      const schemas = { validateDocument: config, validateStep: schemaOf(document, 'Step') };
      const { code } = await transform(compiled(without(schemas, LEFT_OUT)), { minify: true });
      return { contents: code, loader: 'js', resolveDir: at('../../..') };
    });
  },
};

/** What a module of the service exports. */
async function moduleOf(/** @type {string} */ path) {
  const { outputFiles } = await build({ entryPoints: [at(path)], bundle: true, format: 'cjs', write: false });
  const module = { exports: /** @type {Record<string, Function>} */ ({}) };
  runInThisContext(`(module) => {${outputFiles[0].text}}`)(module);
  return module.exports;
}

/** How to bundle the service's rules for a browser: what they take from Node stands there instead. */
export const forBrowser = {
  alias: Object.fromEntries(['crypto', 'http', 'util'].map((name) => [`node:${name}`, at('local/of-node.ts')])),
  plugins: [shapes],
};
