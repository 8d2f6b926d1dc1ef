// @ts-check
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Keeps what programs of others rely on in a version, in a folder of test/drift/released: the OpenAPI document with the
 * schemas of events, the types of the widget, and the settings. Later changes are compared with the newest.
 */
export async function keepReleased(/** @type {string} */ root, /** @type {string} */ version) {
  const folder = join(root, 'test/drift/released', version);
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'));
  await cp(join(root, 'web/widget/v1.d.ts'), join(folder, 'v1.d.ts'));
  const settings = settingsIn(await readFile(join(root, 'docs/configuration.md'), 'utf8'));
  await writeFile(join(folder, 'settings.json'), `${JSON.stringify(settings, undefined, 2)}\n`);
  await writeFile(join(folder, 'accepted.json'), '[]\n');
}

/** The settings in the tables of docs/configuration.md, each with its default. @returns {Record<string, string>} */
export function settingsIn(/** @type {string} */ text) {
  const rows = [...text.matchAll(/^\| (`[A-Z][^|]*) \| ([^|]*) \|/gm)];
  return Object.fromEntries(
    rows.flatMap(([, names, value]) =>
      [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => [name, value.trim()]),
    ),
  );
}
