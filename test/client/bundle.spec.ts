import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

describe('In a bundle for browsers, without warnings,', () => {
  it.each([
    ['the client', './client/src/index.ts', 6000],
    ['a flow without a look', './client/headless/index.ts', 4000],
  ])('%s (%s) has at most %i bytes, gzipped', async (_, file, most) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: `export * from '${file}'`, resolveDir: process.cwd() },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    expect(warnings).toEqual([]);
    expect(gzipSync(outputFiles[0].contents).length).toBeLessThanOrEqual(most);
  });
});
