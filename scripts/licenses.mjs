// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE = /^(licen[cs]e|copying|notice)/i;

/**
 * The packages that files are of, each as `name@version`, and their licenses: whoever passes a package on has to pass
 * its license on too.
 */
export async function licensesOf(/** @type {string[]} */ files) {
  const folders = [...new Set(files.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))].toSorted();
  const packages = [];
  let text = '';
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    packages.push(`${name}@${version}`);
    text += `${name} ${version} (${license})\n\n`;
    // In the package itself, or in a folder of it for what it has from others.
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => LICENSE.test(name))) {
      const path = join(folder, entry.name);
      const files = entry.isDirectory() ? await filesIn(path) : [path];
      for (const file of files) text += `${(await readFile(file, 'utf8')).trim()}\n\n`;
    }
    text += `${'-'.repeat(80)}\n\n`;
  }
  return { packages, text };
}

async function filesIn(/** @type {string} */ folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
