// @ts-check
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { licensesOf } from './licenses.mjs';

/**
 * Lists the packages that are in dist: dist/sbom.cdx.json for scanners (CycloneDX), and dist/THIRD_PARTY_LICENSES.txt.
 * Run it after the build.
 */

/** The files that esbuild put into the bundles, and a package that is copied. */
const lists = ['dist/src/inputs.json', 'dist/web/dist/inputs.json'];
const files = await Promise.all(lists.map(async (list) => JSON.parse(await readFile(list, 'utf8'))));
const paths = [...files.flat(), 'node_modules/swagger-ui-dist/package.json'];
const { packages, text } = await licensesOf(paths);
await writeFile('dist/THIRD_PARTY_LICENSES.txt', text);
const ids = new Set(packages);

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
const missing = packages.filter((id) => !sbom.components.some((/** @type {any} */ { 'bom-ref': ref }) => ref === id));
if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`);
await writeFile('dist/sbom.cdx.json', JSON.stringify(sbom, undefined, 2));
