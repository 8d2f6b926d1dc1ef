import { build } from 'esbuild';
import type { ElementHandle } from 'puppeteer-core';
import type { Flow } from '../support/acme';
import { inEachBrowser } from '../support/stage';
import type { Tab } from '../support/tab';
import { WORDS } from '../support/words';

const TRAPS = [
  'focus-trap',
  'Radix Dialog',
  'Radix Dropdown Menu',
  'Headless UI Dialog',
  'Headless UI Menu',
  'MUI Dialog',
  'MUI Menu',
  'Vaul',
];
const COMMENT = 'not 5/month';

/** How a customer gets at what they want to press. */
type Input = 'mouse' | 'keyboard' | 'touch';

inEachBrowser('A customer whose cancel link is inside of', (stage, { name: browser }) => {
  let flow: Flow;
  let module: string;

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ['test/browser/traps/pages.jsx'],
      bundle: true,
      minify: true,
      write: false,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    module = outputFiles[0].text;
  });
  beforeEach(async () => {
    flow = await stage.acme.flow();
  });

  /** A page of a library, whose styles are in the page. The widget comes after a trap on the window. */
  async function open(trap: string): Promise<Tab> {
    const widget = `${stage.service}/widget/v1.js`;
    const later = `;document.head.append(Object.assign(document.createElement('script'), { src: '${widget}' }))`;
    const scripts = trap === 'window' ? { script: '', module: module + later } : { module };
    const csp = `default-src 'none'; script-src 'self' ${stage.service}; style-src 'self' 'unsafe-inline'; connect-src ${stage.service}`;
    const url = stage.host.page({ service: stage.service, body: '', csp, ...scripts });
    return stage.openAt(`${url}&trap=${encodeURIComponent(trap)}&flow=${flow.slug}`);
  }

  /** What a customer of one input does with something on the page or in the dialog. */
  async function press(tab: Tab, name: string, input: Input): Promise<void> {
    if (input === 'keyboard') {
      await tab.control(name);
      await tab.tabTo(name);
      await tab.page.keyboard.press('Enter');
    } else await pointAt(await tab.control(name), input);
  }

  const pointAt = (handle: ElementHandle, input: Input) => (input === 'touch' ? handle.tap() : handle.click());

  /** The cancel link, once the modal with it is open and has come to rest. */
  async function pressLink(tab: Tab, input: Input): Promise<void> {
    const { page } = tab;
    const opener = (await page.waitForSelector('::-p-text(Settings)'))!;
    if (input === 'keyboard') await opener.press('Enter');
    else await pointAt(opener, input);
    const link = (await page.waitForSelector('a[data-retention-flow]', { visible: true }))!;
    await tab.until('the modal is at rest', () =>
      document.getAnimations().every(({ playState }) => playState === 'finished'),
    );
    if (input === 'keyboard') await link.press('Enter');
    else await pointAt(link, input);
  }

  /** Firefox takes no touches from a test. */
  const inputs: Input[] = browser === 'Firefox' ? ['mouse', 'keyboard'] : ['mouse', 'keyboard', 'touch'];

  describe.each(inputs)('by %s', (input) => {
    it.each(TRAPS)('%s answers, comments and cancels', async (trap) => {
      const tab = await open(trap);
      if (input === 'touch') await tab.page.setViewport({ width: 800, height: 600, hasTouch: true });
      await pressLink(tab, input);
      await tab.untilTitle('Before you go');
      await press(tab, WORDS.proceed, input);
      await tab.untilTitle('Why are you leaving?');
      if (input === 'keyboard') {
        await tab.tabTo('Too expensive');
        await tab.page.keyboard.press(' ');
        await tab.tabTo(WORDS.comment);
      } else {
        await press(tab, 'Too expensive', input);
        await pointAt((await tab.page.waitForSelector('retention-flow >>> textarea'))!, input);
      }
      await tab.page.keyboard.type(COMMENT);
      await press(tab, WORDS.proceed, input);
      await tab.untilTitle('Stay for half the price');
      await press(tab, WORDS.leave, input);
      await tab.untilAt(stage.host.cancelPage);
      const [{ status, steps }] = await stage.acme.sessions(flow);
      expect([status, steps.find(({ comment }) => comment)?.comment]).toEqual(['canceled', COMMENT]);
    });

    it('a trap that lets nothing else be pressed goes on to the cancellation page', async () => {
      const tab = await open('window');
      if (input === 'touch') await tab.page.setViewport({ width: 800, height: 600, hasTouch: true });
      await pressLink(tab, input);
      await tab.untilAt(stage.host.cancelPage);
    });
  });

  it('any modal closes the widget alone with Escape, and no hot key of the page runs', async () => {
    const tab = await open('Radix Dialog');
    await pressLink(tab, 'mouse');
    await tab.untilTitle('Before you go');
    const { title } = await tab.page.evaluate(() => ({ title: document.title }));
    for (const key of ['n', '/', '?', 'm', 'Escape'] as const) await tab.page.keyboard.press(key);
    await tab.untilNoticed('closed');
    expect(await tab.page.title()).toBe(title);
    expect(await tab.page.$('[role=dialog] input')).not.toBeNull();
  });
});
