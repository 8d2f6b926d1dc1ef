import { axeViolations } from './support/axe';
import { inOneBrowser } from './support/stage';
import { Tab } from './support/tab';

const CREATE_FLOW = '#operations-Flows-flows_create';
const LIVEZ = '#operations-Health-operation_livez';
const FLOWS_LIST = '#operations-Flows-flows_list';

inOneBrowser('The docs', (stage) => {
  const open = async () => {
    const context = await stage.context();
    const tab = await Tab.open(context, 'about:blank', { widget: false });
    await tab.page.setViewport({ width: 1280, height: 900 });
    await tab.page.goto(`${stage.service}/docs`);
    await tab.page.waitForSelector('[data-tag="Runtime"]');
    return tab;
  };
  const unfold = async ({ page }: Tab, operation: string) => {
    const [, tag] = /^#operations-(\w+)-/.exec(operation)!;
    if ((await page.$(operation)) === null) await page.click(`nav a[href="#/${tag}"]`);
    await page.waitForSelector(operation);
    await page.$eval(`${operation} .opblock-summary-control`, (button) => (button as HTMLElement).click());
    await page.waitForSelector(`${operation} .responses-table`);
  };
  const textOf = ({ page }: Tab, selector: string) => page.$eval(selector, (one) => (one as HTMLElement).innerText);
  const shownOperations = ({ page }: Tab) =>
    page.$$eval('main .operation-tag-content .opblock', (all) => all.map(({ id }) => id));

  it('have nothing that axe finds fault with and nothing to scroll sideways: light, dark, 1280 px, 360 px', async () => {
    const tab = await open();
    await unfold(tab, CREATE_FLOW);
    for (const scheme of ['light', 'dark']) {
      await tab.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      const ground = () => tab.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const isDark = async () => Number(/\d+/.exec(await ground())) < 128;
      await tab.untilValue('the dark ground', isDark, scheme === 'dark');
      await tab.page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
      for (const width of [1280, 360]) {
        await tab.page.setViewport({ width, height: 900 });
        const out = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([scheme, width, await axeViolations(tab.page), Math.max(out, 0)]).toEqual([scheme, width, [], 0]);
      }
    }
    expect(await tab.noticed('violation', 'error')).toEqual([]);
  });

  it('begin with the four modules, folded, and unfold one that is chosen', async () => {
    const tab = await open();
    const tags = await tab.page.$$eval('[data-tag]', (all) => all.map((one) => (one as HTMLElement).dataset.tag));
    expect(tags.slice(0, 4)).toEqual(['Runtime', 'Flows', 'Offers', 'Workspace']);
    expect(await shownOperations(tab)).toEqual([]);
    await tab.page.click('nav a[href="#/Flows"]');
    await tab.page.waitForSelector(FLOWS_LIST);
    const shown = await shownOperations(tab);
    expect(shown.filter((id) => !id.startsWith('operations-Flows-'))).toEqual([]);
  });

  it('find operations by words of their path, method and description, from the keyboard, and say how many', async () => {
    const tab = await open();
    const [, all] = /^(\d+) operations/.exec(await textOf(tab, '#search-result'))!;
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.type('post {id}/rotate-secret');
    await tab.untilValue(
      'what is found',
      async () => (await shownOperations(tab)).join(),
      'operations-Webhooks-webhooks_rotateSecret',
    );
    expect(await textOf(tab, '#search-result')).toBe(`1 of ${all} operations`);
    await tab.page.keyboard.press('Escape');
    await tab.untilValue('all folded away', async () => (await shownOperations(tab)).length, 0);
    expect(await textOf(tab, '#search-result')).toContain(`${all} operations`);
    await tab.page.keyboard.type('post idempotency-key metadata 422');
    await tab.untilValue(
      'what takes such a field and header',
      async () => (await shownOperations(tab)).join(' '),
      'operations-Flows-flows_create operations-Offers-offers_create',
    );
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.type('no such words');
    await tab.untilValue('nothing', async () => (await shownOperations(tab)).length, 0);
    expect(await textOf(tab, '#search-result')).toContain('Nothing has all the words of “no such words”');
  });

  it('show samples in tabs that the keyboard switches, for all operations at once, and copy them', async () => {
    const tab = await open();
    await tab.page.evaluate(() => {
      const copied = { writeText: (text: string) => Promise.resolve(void (document.title = text)) };
      Object.defineProperty(navigator, 'clipboard', { value: copied });
    });
    await unfold(tab, CREATE_FLOW);
    expect(await textOf(tab, `${CREATE_FLOW} [role=tabpanel]`)).toContain('curl -s "$API/public/flows"');
    await tab.page.focus(`${CREATE_FLOW} [role=tab][aria-selected=true]`);
    await tab.page.keyboard.press('ArrowRight');
    const sample = () => textOf(tab, `${CREATE_FLOW} [role=tabpanel]`);
    await tab.untilValue('the tab of JavaScript', async () => (await sample()).includes('rf.flows.create({'), true);
    await tab.page.$eval(`${CREATE_FLOW} .copy`, (button) => (button as HTMLElement).click());
    await tab.untilValue('the button', () => textOf(tab, `${CREATE_FLOW} .copy`), 'Copied');
    expect(await tab.page.title()).toContain('rf.flows.create({');
    const other = '#operations-Offers-offers_list';
    await unfold(tab, other);
    expect(await textOf(tab, `${other} [role=tabpanel]`)).toContain('for await (const one of rf.offers.list())');
  });

  it('show with an operation only the errors that are its own, and lead to a table of all', async () => {
    const tab = await open();
    await unfold(tab, CREATE_FLOW);
    const statuses = await tab.page.$$eval(`${CREATE_FLOW} tr.response`, (rows) =>
      rows.map((row) => (row as HTMLElement).dataset.code),
    );
    expect(statuses).toContain('201');
    expect(statuses).not.toContain('429');
    expect(await textOf(tab, `${CREATE_FLOW} .shared-errors`)).toContain('400, 401, 403, 408');
    expect(await tab.page.$eval(`${CREATE_FLOW} .shared-errors a`, (link) => link.getAttribute('href'))).toBe(
      '#errors',
    );
    expect(await textOf(tab, '#errors')).toContain('too_many_requests');
    expect(await tab.page.$('.models')).toBeNull();
  });

  it('execute an operation and show its answer', async () => {
    const tab = await open();
    await unfold(tab, LIVEZ);
    const press = (selector: string) =>
      tab.page.$eval(`${LIVEZ} ${selector}`, (button) => (button as HTMLElement).click());
    await press('.try-out__btn');
    await tab.page.waitForSelector(`${LIVEZ} .execute`);
    await press('.execute');
    await tab.page.waitForSelector(`${LIVEZ} .live-responses-table`);
    expect(await textOf(tab, `${LIVEZ} .live-responses-table tbody .response-col_status`)).toContain('200');
    expect(await tab.noticed('violation', 'error')).toEqual([]);
  });
});
