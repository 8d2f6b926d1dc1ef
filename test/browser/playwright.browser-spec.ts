import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programsOf, withPackages } from '../support/testing-kit';
import { BROWSERS } from './support/browsers';

const PACKAGES = ['@playwright/test', 'playwright', 'playwright-core'];
const chromium = BROWSERS.find(({ name }) => name === 'Chromium')!;

(chromium.path ? describe : describe.skip)('The kit for tests', () => {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'playwright-'));
    await withPackages(folder);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs the test of its documentation in Playwright', async () => {
    mkdirSync(join(folder, 'node_modules/@playwright'), { recursive: true });
    for (const name of PACKAGES) {
      symlinkSync(resolve('test/browser/node_modules', name), join(folder, 'node_modules', name));
    }
    // The browser of this machine. Chromium refuses to run as root with its sandbox.
    const launchOptions = { executablePath: chromium.path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
    const config = { testDir: '.', reporter: 'line', use: { launchOptions } };
    writeFileSync(join(folder, 'playwright.config.js'), `export default ${JSON.stringify(config)};`);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(join(folder, 'leaving.spec.js'), programsOf('docs/testing.md').get('leaving.spec.js')!);
    const cli = join(folder, 'node_modules/@playwright/test/cli.js');
    // Without what Jest says: it would refuse to run within it.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'test'], { cwd: folder, env }).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toMatch(/1 passed/);
  }, 120_000);
});
