// @ts-check
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lists the packages that are in dist: dist/sbom.cdx.json for scanners (CycloneDX), and dist/THIRD_PARTY_LICENSES.txt, because
 * whoever passes a package on has to pass its license on too. Run it after the build.
 */

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE = /^(licen[cs]e|copying|notice)/i;

/** The files that esbuild put into the bundles, and a package that is copied. */
const lists = ['dist/src/inputs.json', 'dist/web/dist/inputs.json'];
const files = await Promise.all(lists.map(async (list) => JSON.parse(await readFile(list, 'utf8'))));
const paths = [...files.flat(), 'node_modules/swagger-ui-dist/package.json'];
const folders = [...new Set(paths.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))].toSorted();

const ids = new Set();
let licenses = '';
for (const folder of folders) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  ids.add(`${name}@${version}`);
  licenses += `${name} ${version} (${license})\n\n`;
  for (const file of (await readdir(folder)).filter((name) => LICENSE.test(name))) {
    licenses += `${(await readFile(join(folder, file), 'utf8')).trim()}\n\n`;
  }
  licenses += `${'-'.repeat(80)}\n\n`;
}
await writeFile('dist/THIRD_PARTY_LICENSES.txt', licenses);

// npm lists all that package-lock.json does. That is more than what may be read by default.
const npm = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
const all = execFileSync('npm', npm, { encoding: 'utf8', maxBuffer: 2 ** 26 });
const { metadata, components, dependencies, ...rest } = JSON.parse(all);
const root = metadata.component['bom-ref'];
const isHere = (/** @type {string} */ id) => ids.has(id);
const sbom = {
  ...rest,
  // npm takes the name from the folder.
  metadata: { ...metadata, component: { ...metadata.component, name: root.slice(0, root.lastIndexOf('@')) } },
  components: components.filter((/** @type {any} */ { 'bom-ref': id }) => isHere(id)),
  dependencies: dependencies
    .filter((/** @type {any} */ { ref }) => ref === root || isHere(ref))
    .map((/** @type {any} */ { ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isHere) })),
};
const missing = [...ids].filter((id) => !sbom.components.some((/** @type {any} */ { 'bom-ref': ref }) => ref === id));
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`);
await writeFile('dist/sbom.cdx.json', JSON.stringify(sbom, undefined, 2));
