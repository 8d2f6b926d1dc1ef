// @ts-check
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** For esbuild: in each file, a style sheet that is imported is its text, minified. In its source, the dialog is `&`. */
const cssAsText = (/** @type {(css: string) => string} */ placed, /** @type {string[]} */ target = []) => ({
  name: 'css-as-text',
  setup: (/** @type {import('esbuild').PluginBuild} */ esbuild) =>
    esbuild.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(placed(await readFile(path, 'utf8')), { loader: 'css', minify: true, target });
      return { contents: code.trim(), loader: 'text' };
    }),
});

/** In a shadow tree, where there is nothing else. */
export const lookInShadow = cssAsText((css) => css.replaceAll('&', 'dialog'));

const KEYFRAMES = /@keyframes[^]*?\n}\n/g;

/** The id that no dialog has makes it weigh more than the rules of a page. */
const DIALOG = 'dialog[data-retention-flow]:not(#rf)';
/** The oldest that a dialog in a page is for. */
const BROWSERS = ['chrome111', 'firefox113', 'safari16.4'];

/** In a page, where it reaches the dialog alone. Keyframes can't be inside of a rule. */
export const lookInPage = cssAsText((css) => {
  const keyframes = css.match(KEYFRAMES) ?? [];
  return `${DIALOG} { ${css.replaceAll(KEYFRAMES, '')} } ${keyframes.join('')}`;
}, BROWSERS);
