import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe has against a page, in short: the same in any browser, so only Chromium is asked. Evaluated by the browser's
 * debugger, which no Content-Security-Policy forbids.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  if ((await page.browser().version()).startsWith('Firefox')) return [];
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const { violations } = (await page.evaluate(
    `axe.run({ resultTypes: ['violations'], preload: false })`,
  )) as AxeResults;
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  );
}
