// @ts-check
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { keepReleased } from './released.mjs';

/** Prepares a release, as docs/release.md says: `npm run release -- 1.0.0`. With `--dry-run`, says what it would do. */

const { positionals, values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
const [next] = positionals;
const isDry = values['dry-run'] === true;

/** Where else the version stands. */
const NAMED_IN = [
  'deploy/systemd/retention-flow@.service',
  'deploy/kubernetes/example/kustomization.yaml',
  'docs/as-code.md',
];
const PLACEHOLDER = /\.example\b/;
const UNRELEASED = /^## Unreleased\n+(?=\S)(?!## )/m;

const { version, repository, bugs } = JSON.parse(await readFile('package.json', 'utf8'));
const changelog = await readFile('CHANGELOG.md', 'utf8');
const run = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Why it can't be released. @returns {string | undefined} */
function refusal() {
  if (!/^\d+\.\d+\.\d+$/.test(next ?? '')) return 'Name the version: npm run release -- 1.2.3';
  if (next.localeCompare(version, 'en', { numeric: true }) <= 0) return `${next} is not later than ${version}`;
  for (const [name, value] of Object.entries({ repository, bugs }))
    if (PLACEHOLDER.test(value)) return `"${name}" of package.json is a placeholder: ${value}`;
  if (!UNRELEASED.test(changelog)) return 'CHANGELOG.md has nothing under "## Unreleased"';
  if (run('git', 'status', '--porcelain') !== '') return 'The working tree has changes: commit them first';
  return undefined;
}

/** @type {[string, () => unknown][]} */
const STEPS = [
  [
    `sets the version ${next} in package.json, client/package.json and ${NAMED_IN.join(', ')}`,
    async () => {
      const args = ['--workspaces', '--include-workspace-root', '--no-git-tag-version'];
      run('npm', 'version', next, ...args);
      for (const file of NAMED_IN) await writeFile(file, (await readFile(file, 'utf8')).replaceAll(version, next));
    },
  ],
  [
    `gives the section "Unreleased" of CHANGELOG.md the name ${next}`,
    () => writeFile('CHANGELOG.md', changelog.replace('## Unreleased', `## Unreleased\n\n## ${next}`)),
  ],
  ['writes docs/openapi.json', () => run('npm', 'run', '--silent', 'openapi')],
  [`keeps what later versions are compared with in test/drift/released/${next}`, () => keepReleased('.', next)],
];

const reason = refusal();
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}
for (const [what, step] of STEPS) {
  console.log(`${isDry ? 'Would: ' : ''}${what}`);
  if (!isDry) await step();
}
console.log(`Then, by you: .ci/run, npm audit, a commit, the tag v${next}`);
