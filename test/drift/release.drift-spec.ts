import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In a copy of what a release reads, as a repository of its own. */
describe('npm run release', () => {
  let folder: string;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@acme.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  /** The contact, whatever the working copy has. */
  const contactIs = (url: string) => {
    edit('package.json', (text) =>
      JSON.stringify({ ...(JSON.parse(text) as object), repository: url, bugs: url }, undefined, 2),
    );
  };
  const release = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr: stderr.trim() };
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'release-'));
    for (const path of ['package.json', 'CHANGELOG.md', 'scripts'])
      cpSync(path, join(folder, path), { recursive: true });
    edit('CHANGELOG.md', (text) =>
      text.replace(/^## Unreleased\n[^]*?(?=^## )/m, '## Unreleased\n\nAdded:\n\n- x\n\n'),
    );
    contactIs('https://git.acme.com');
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'a');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('refuses in one line what is no version, or not a later one', () => {
    expect(release()).toEqual({ status: 1, stdout: '', stderr: 'Name the version: npm run release -- 1.2.3' });
    expect(release('next')).toMatchObject({ status: 1, stderr: 'Name the version: npm run release -- 1.2.3' });
    expect(release(version)).toMatchObject({ status: 1, stderr: `${version} is not later than ${version}` });
  });

  it('refuses placeholders in package.json', () => {
    contactIs('https://git.example');
    expect(release('99.0.0', '--dry-run')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^"repository" of package\.json is a placeholder: /),
    });
  });

  it('refuses a changelog that says nothing, and changes that are not committed', () => {
    edit('package.json', (text) => `${text}\n`);
    expect(release('99.0.0', '--dry-run')).toMatchObject({
      status: 1,
      stderr: 'The working tree has changes: commit them first',
    });
    edit('CHANGELOG.md', (text) => text.replace('Added:\n\n- x\n\n', ''));
    expect(release('99.0.0', '--dry-run')).toMatchObject({
      status: 1,
      stderr: 'CHANGELOG.md has nothing under "## Unreleased"',
    });
  });

  it('says with --dry-run what it would do, and changes nothing', () => {
    const { status, stdout } = release('99.0.0', '--dry-run');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('Would: '))).toHaveLength(4);
    expect(stdout).toContain('test/drift/released/99.0.0');
    expect(git('status', '--porcelain')).toBe('');
  });
});
