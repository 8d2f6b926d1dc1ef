import type { Flow } from './support/acme';
import { inEachBrowser } from './support/stage';
import { Tab } from './support/tab';
import { WORDS } from './support/words';

/** Names that the widget, or what it calls, could read from `document` or `window`. */
const NAMES =
  'addEventListener baseURI body createElement crypto currentScript customElements defaultView dispatchEvent documentElement ' +
  'fetch getComputedStyle head implementation location performance removeEventListener sessionStorage setTimeout URL';

/** Names that the widget reads from an element. A form has each control as a property of its name. */
const OF_FORM = 'closest customerToken dataset dispatchEvent focus getAttribute isConnected lang';

/** Markup without a script is what gets through many a sanitizer: a comment, a profile, a mail that is shown. */
inEachBrowser('Markup that somebody slips into the page', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await stage.acme.flow();
  });

  const TOKEN = 'data-customer-token="secret"';
  const click = ({ page }: Tab) => page.evaluate(() => document.querySelector<HTMLElement>('a, button')!.click());

  it('does not get the customer token sent elsewhere: an image named "currentScript"', async () => {
    const evil = await stage.front();
    const tab = await stage.open({
      connect: evil.url,
      script: '',
      body: `
        <img name="currentScript" src="${evil.url}/widget/v1.js">
        <a href="/cancel-page?sub=1" data-retention-flow="${flow.slug}" ${TOKEN}>Cancel subscription</a>
        <script src="${stage.service}/widget/v1.js"></script>`,
    });
    await click(tab);
    await tab.untilAt(stage.host.cancelPage);
    expect(await tab.noticed('unavailable')).toMatchObject([{ detail: { reason: 'invalid_customer_token' } }]);
    expect(evil.starts).toEqual([]);
  });

  it.each([
    ['the script', ''],
    ['data-api', 'data-api="/"'],
  ])(
    'does not get the customer token sent elsewhere: a <base>, where the address of %s is relative',
    async (_, api) => {
      const [own, evil] = await Promise.all([stage.front(), stage.front()]);
      const page = `<!doctype html><script defer src="${api && stage.service}/widget/v1.js"></script><base href="${evil.url}/">
      <a href="/" data-retention-flow="${flow.slug}" ${TOKEN} ${api}>Cancel subscription</a>`;
      own.fault = ({ path }) => (path === '/account' ? { status: 200, type: 'text/html', body: page } : undefined);
      const tab = await Tab.open(await stage.context(), `${own.url}/account`);
      await tab.page.evaluate(() => document.addEventListener('retention-flow:unavailable', (e) => e.preventDefault()));
      await click(tab);
      await tab.untilNoticed('unavailable');
      expect(await tab.noticed('unavailable')).toMatchObject([{ detail: { reason: 'invalid_customer_token' } }]);
      expect(evil.starts).toEqual([]);
      expect(own.starts).toHaveLength(1);
    },
  );

  it('does not stop the flow: elements with the names of what the browser has', async () => {
    const elements = NAMES.split(' ')
      .map((name) => `<img name="${name}"><form name="${name}"></form><img id="${name}">`)
      .join('');
    const link = `<a href="/cancel-page?sub=1" data-retention-flow="${flow.slug}">Cancel subscription</a>`;
    const tab = await stage.open(
      { script: '', body: `${link}${elements}<script src="${stage.service}/widget/v1.js"></script>` },
      { widget: false },
    );
    await tab.page.evaluate(() => document.querySelector('a')!.click());
    await tab.untilTitle('Before you go');
    expect(await tab.noticed('error')).toEqual([]);
  });

  it('does not keep the customer: controls of a form that is the source of the dialog', async () => {
    const controls = OF_FORM.split(' ')
      .map((name) => `<input name="${name}">`)
      .join('');
    const tab = await stage.open({
      body: `<form lang="de">${controls}<button type="button">Leave</button></form>`,
      module: `
        document.querySelector('button').addEventListener('click', () => {
          const flow = document.createElement('retention-flow');
          document.documentElement.append(flow);
          void flow.show({ flow: '${flow.slug}', cancelUrl: '/cancel-page?sub=1', source: document.querySelector('form') });
        });`,
    });
    await click(tab);
    await tab.untilTitle('Bevor Sie gehen');
    await tab.press('Mein Abo behalten');
    await tab.untilNoticed('saved');
    expect(await tab.title()).not.toBe(WORDS.thanks);
    expect(await tab.noticed('error')).toEqual([]);
  });
});
