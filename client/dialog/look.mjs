// @ts-check
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** For esbuild: in each file, a style sheet that is imported is its text, minified. In its source, the dialog is `&`. */
const cssAsText = (/** @type {(css: string) => string} */ placed) => ({
  name: 'css-as-text',
  setup: (/** @type {import('esbuild').PluginBuild} */ esbuild) =>
    esbuild.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(placed(await readFile(path, 'utf8')), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    }),
});

/** In a shadow tree, where there is nothing else. */
export const lookInShadow = cssAsText((css) => css.replaceAll('&', 'dialog'));

const KEYFRAMES = /@keyframes[^]*?\n}\n/g;

/** In a page, where it reaches the dialog alone. Keyframes can't be inside of a rule. */
export const lookInPage = cssAsText((css) => {
  const keyframes = css.match(KEYFRAMES) ?? [];
  return `dialog[data-retention-flow] { ${css.replaceAll(KEYFRAMES, '')} } ${keyframes.join('')}`;
});
