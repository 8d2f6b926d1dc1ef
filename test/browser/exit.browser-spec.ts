import { randomUUID } from 'node:crypto';
import type { Page } from 'puppeteer-core';
import { axeViolations } from './support/axe';
import { inOneBrowser } from './support/stage';

/** A desktop, a phone, a desktop at 400 % zoom (WCAG 1.4.10), and a phone on its side. */
const SIZES = ['1280 × 800', '360 × 640', '320 × 256', '640 × 280'];

inOneBrowser('The exit page', (stage) => {
  let slug: string;

  beforeAll(async () => {
    const flow = await stage.acme.flow();
    const exit = { enabled: true, kinds: ['termination', 'withdrawal'] };
    await stage.acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { exit });
    ({ slug } = flow);
  });

  const open = async (query = '', hasScripts = false): Promise<Page> => {
    const page = await (await stage.context()).newPage();
    await page.setJavaScriptEnabled(hasScripts);
    await page.goto(`${stage.service}/exit/${slug}${query}`);
    return page;
  };

  /** Goes on with the keyboard, and types where there is something to type. */
  const fillIn = async ({ keyboard }: Page, ...texts: string[]) => {
    for (const text of texts) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
  };

  it('is filled in with the keyboard alone, without a script, and gives a number and a file to keep', async () => {
    const page = await open('?lang=de');
    await fillIn(page, 'Ada Lovelace', 'Kundennummer 4711', `${randomUUID()}@example.com`);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toContain('/receipt/');
    const text = await page.$eval('main', (main) => main.innerText);
    expect(text).toMatch(/[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}/);
    expect(text).toContain('Kundennummer 4711');
    const [file] = await page.$$eval('a[download]', (links) => links.map(({ href }) => href));
    expect(await (await fetch(file)).text()).toContain('Ada Lovelace');
    expect(await stage.browser.cookies()).toEqual([]);
  });

  it('says what is missing, beside its field, and keeps the rest', async () => {
    const page = await open();
    await page.$$eval('[required]', (fields) => fields.forEach((field) => field.removeAttribute('required')));
    await fillIn(page, 'Ada Lovelace');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    const fields = await page.$$eval('input[aria-invalid=true]', (all) => all.map(({ name }) => name));
    expect(fields).toEqual(['contract', 'email']);
    expect(await page.$eval('#name', (field) => (field as HTMLInputElement).value)).toBe('Ada Lovelace');
  });

  it.each(SIZES)('fits, and has nothing that axe finds, in %s', async (size) => {
    const [width, height] = size.split(' × ').map(Number);
    for (const query of ['', '?lang=de&kind=withdrawal', '?lang=he', '?lang=ja']) {
      const page = await open(query, true);
      await page.setViewport({ width, height });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([query, overflow, await axeViolations(page)]).toEqual([query, 0, []]);
    }
  });
});
