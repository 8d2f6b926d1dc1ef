import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The programs of a document, by the names in their first lines. */
export function programsOf(document: string): Map<string, string> {
  const blocks = readFileSync(document, 'utf8').matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, name, program]) => [name, program]));
}

/** Installs the packed client and the packed service in a folder, which becomes a project. */
export async function withPackages(folder: string): Promise<void> {
  const packs = mkdtempSync(join(tmpdir(), 'packs-'));
  const service = (await run(process.execPath, ['scripts/pack.mjs', packs])).stdout.trim();
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', packs];
  const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: 'client' })).stdout) as { filename: string }[];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, join(packs, filename), service], { cwd: folder });
  copyFileSync(service, join(folder, 'service.tgz'));
  rmSync(packs, { recursive: true });
}
