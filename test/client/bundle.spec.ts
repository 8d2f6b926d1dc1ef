import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

describe('The client in a bundle for browsers', () => {
  it('is at most 6 kB (gzipped) with its dependency, and has no warnings', async () => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: "export * from '@retention-flow/client'", resolveDir: __dirname },
      alias: { '@retention-flow/client': './client/src/index.ts' },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
      write: false,
    });
    expect(warnings).toEqual([]);
    expect(gzipSync(outputFiles[0].contents).length).toBeLessThanOrEqual(6000);
  });
});
