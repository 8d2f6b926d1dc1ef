import { existsSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';

export interface BrowserKind {
  name: 'Chromium' | 'Firefox';
  /** Undefined if the browser is not installed. */
  path: string | undefined;
}

export const BROWSERS: BrowserKind[] = [
  // Without the window's own interface, which takes half of the time where no GPU draws it.
  { name: 'Chromium', path: programOf('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome') },
  { name: 'Firefox', path: programOf('firefox-esr', 'firefox') },
];

/** Two browsers start at once on a machine that may be busy. */
const LAUNCH_MS = 120_000;

const HOW_TO_INSTALL = 'apt-get install chromium-headless-shell firefox-esr';

/** One line about the browsers that are missing, or undefined if none is. */
export function missingBrowsers(): string | undefined {
  const missing = BROWSERS.filter(({ path }) => !path).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return `The browser tests were not run in ${missing.join(' and ')}. To install both: ${HOW_TO_INSTALL}`;
}

export function launch({ name, path }: BrowserKind): Promise<Browser> {
  if (name === 'Firefox') {
    return puppeteer.launch({
      browser: 'firefox',
      executablePath: path,
      timeout: LAUNCH_MS,
      // Otherwise each page asks for an icon, which its Content-Security-Policy forbids.
      extraPrefsFirefox: { 'browser.chrome.site_icons': false },
    });
  }
  // Chromium refuses to run as root with its sandbox.
  return puppeteer.launch({
    executablePath: path,
    headless: 'shell',
    timeout: LAUNCH_MS,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** The first of the programs that is on the PATH. */
function programOf(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
