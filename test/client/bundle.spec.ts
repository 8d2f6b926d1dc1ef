import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { lookInPage } from '../../client/dialog/look.mjs';

describe('In a bundle for browsers, without warnings,', () => {
  it.each([
    ['the client', `export * from './client/src/index.ts'`, 6000],
    ['a flow without a look', `export * from './client/headless/index.ts'`, 4000],
    ['the hook for React', `export { useRetentionFlow } from './client/react/index.ts'`, 10_100],
    ['the component for React, with the look', `export { CancelFlow } from './client/react/index.ts'`, 14_000],
  ])('%s (%s) has at most %i bytes, gzipped', async (_, contents, most) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents, resolveDir: process.cwd() },
      bundle: true,
      minify: true,
      charset: 'utf8',
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      external: ['react'],
      plugins: [lookInPage],
      write: false,
    });
    expect(warnings).toEqual([]);
    expect(gzipSync(outputFiles[0].contents).length).toBeLessThanOrEqual(most);
  });
});
