// @ts-check
import { execFileSync } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { bundle } from './bundle.mjs';

/**
 * Puts the compiled service in a folder and all its packages into one file, src/main.js: Node would spend most of the
 * start on finding and reading 2,400 files. What the service reads from packages at run time goes to node_modules
 * there, so that the folder runs wherever it is copied. Only the embedded Postgres stays where npm installed it.
 */

const folder = process.argv[2];
const MAIN = `${folder}/src/main.js`;
const SWAGGER_UI = [
  'package.json',
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
];

/** Of the working copy; a build without one may say it in COMMIT. */
function commit() {
  if (process.env.COMMIT) return process.env.COMMIT;
  try {
    const options = {
      encoding: /** @type {const} */ ('utf8'),
      stdio: /** @type {const} */ (['ignore', 'pipe', 'ignore']),
    };
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}

const { metafile } = await bundle({
  entryPoints: [MAIN],
  outfile: MAIN,
  allowOverwrite: true,
  define: { BUILT_COMMIT: JSON.stringify(commit()) },
  sourcemap: 'linked',
  sourcesContent: false,
});

for (const file of SWAGGER_UI) {
  await cp(`node_modules/swagger-ui-dist/${file}`, `${folder}/node_modules/swagger-ui-dist/${file}`);
}

await writeFile(`${folder}/src/inputs.json`, JSON.stringify(Object.keys(metafile.inputs)));
