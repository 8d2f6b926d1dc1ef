import { compile } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';
import { until } from '../faults/support/until';
import { bundled, fromScore, inTest, programOf } from './react/programs';
import type { Flow } from './support/acme';
import { axeViolations } from './support/axe';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';
import { WORDS } from './support/words';

/** The dialog that docs/headless.md shows, in a bundle, for a service and a flow. */
async function dialogOfDocs(service: string, flow: Flow): Promise<string> {
  const own = inTest(programOf('headless.md', 'cancel-dialog.js'), service, flow);
  return `${await bundled(own)}; document.documentElement.dataset.ready = '';`;
}

inEachBrowser("A dialog of the site's own, as docs/headless.md has it", (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await stage.acme.advancedFlow(
      (offer_id) => ({
        entry: 'reason',
        nodes: [
          {
            key: 'reason',
            type: 'survey',
            config: { title: 'Why?', options: [{ value: 'price', label: 'Too expensive' }] },
            next: 'nps',
          },
          ...fromScore(offer_id),
        ],
      }),
      { offer_type: 'custom', outcome: 'open', heading: 'Talk to us', cta_accept: 'Call me', offer_value: '' },
    );
  });

  /** A page with the dialog behind a link. */
  async function open(): Promise<Tab> {
    const module = await dialogOfDocs(stage.service, flow);
    const body = `<a id="cancel" href="/cancel-page?sub=1">Cancel subscription</a>`;
    const tab = await stage.open({ script: '', body, module }, { widget: false });
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    return tab;
  }
  const press = async ({ page }: Tab, name: string) => {
    const button = await page.waitForSelector(`::-p-xpath(//dialog//button[normalize-space()="${name}"])`);
    await button!.click();
  };
  const untilTitle = ({ page }: Tab, title: string) =>
    until(
      `the title "${title}"`,
      async () => (await page.$eval('dialog[open] h2', (h2) => h2.textContent).catch(() => '')) === title,
    );

  it('asks, keeps what its own page gives, and offers by it; nothing is saved by a call', async () => {
    const tab = await open();
    await tab.page.click('#cancel');
    await untilTitle(tab, 'Why?');
    expect(await axeViolations(tab.page)).toEqual([]);
    expect(await tab.focused()).toBe('Why?');
    await press(tab, 'Too expensive');
    await untilTitle(tab, 'Would you recommend us?');
    await press(tab, '5');
    await untilTitle(tab, 'Talk to us');
    await press(tab, 'Call me');
    await untilTitle(tab, 'Thank you for getting in touch');
    const [session] = await stage.acme.sessions(flow);
    expect(session).toMatchObject({ status: 'contacted', results: { nps: { score: 5 } } });
    await press(tab, 'Cancel my subscription');
    await tab.untilAt(stage.host.cancelPage);
  });

  it('goes on where the customer closed it, also after a reload, and cancels', async () => {
    const tab = await open();
    await tab.page.click('#cancel');
    await untilTitle(tab, 'Why?');
    await press(tab, 'Too expensive');
    await untilTitle(tab, 'Would you recommend us?');
    await tab.page.keyboard.press('Escape');
    await tab.until('the dialog is closed', () => document.querySelector('dialog[open]') === null);
    await tab.page.reload({ waitUntil: 'domcontentloaded' });
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.page.click('#cancel');
    await untilTitle(tab, 'Would you recommend us?');
    await press(tab, '1');
    await untilTitle(tab, 'Cancel now?');
    await press(tab, 'Cancel my subscription');
    await tab.untilAt(stage.host.cancelPage);
    expect((await stage.acme.sessions(flow))[0]).toMatchObject({ status: 'canceled' });
  });

  it('lets the customer go when the service is frozen, at the start and in the middle', async () => {
    const [atStart, inTheMiddle] = [await open(), await open()];
    await inTheMiddle.page.click('#cancel');
    await untilTitle(inTheMiddle, 'Why?');
    await stage.whileFrozen(async () => {
      await atStart.page.click('#cancel');
      await atStart.untilAt(stage.host.cancelPage);
      await press(inTheMiddle, 'Cancel my subscription');
      await inTheMiddle.untilAt(stage.host.cancelPage);
    });
  });
});

/** The programs of the document for other frameworks, compiled as their tools do. */
const FRAMEWORKS: [string, () => string][] = [
  [
    'Vue',
    () => {
      const { descriptor } = parse(programOf('headless.md', 'CancelLink.vue'));
      return compileScript(descriptor, { id: 'link', inlineTemplate: true }).content;
    },
  ],
  ['Svelte', () => compile(programOf('headless.md', 'CancelLink.svelte'), { generate: 'client' }).js.code],
  ['React Native', () => programOf('headless.md', 'cancel-button.tsx')],
];

const MOUNTS: Record<string, string> = {
  Vue: `import { createApp } from 'vue'; import Link from './link'; createApp(Link).mount('#root');`,
  Svelte: `import { mount } from 'svelte'; import Link from './link'; mount(Link, { target: document.getElementById('root')! });`,
  'React Native': `import { createRoot } from 'react-dom/client'; import { CancelButton } from './link';
    createRoot(document.getElementById('root')!).render(<CancelButton />);`,
};

inEachBrowser('The program of docs/headless.md for', (stage) => {
  it.each(FRAMEWORKS)('%s: a customer declines an offer, cancels, comes back and keeps', async (name, link) => {
    const flow = await stage.acme.flow();
    const program = await bundled(MOUNTS[name], {
      files: { './link': inTest(link(), stage.service, flow), './page': programOf('headless.md', 'page.ts') },
      alias: { 'react-native': './test/browser/node_modules/react-native-web' },
    });
    // On the web, React Native opens links in another tab.
    const module = `globalThis.open = (url) => location.assign(url);\n${program}`;
    const page = { script: '', body: '<div id="root"></div>', module, csp: '' };
    const begin = async (tab: Tab) => {
      await (await tab.page.waitForSelector('#root ::-p-text(Cancel subscription)'))!.click();
      await tab.untilTitle('Before you go');
    };
    const tab = await stage.open(page, { widget: false });
    await begin(tab);
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Why are you leaving?');
    await tab.press('Too expensive');
    await tab.untilTitle('Stay for half the price');
    await tab.press('No thanks');
    await tab.untilTitle('Cancel your subscription?');
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    // An app is not brought back by the browser.
    const other = name === 'React Native' ? await stage.open(page, { widget: false }) : tab;
    if (other === tab) {
      await tab.page.evaluate(() => history.back());
      await tab.until('the page before', () => location.pathname === '/account');
    }
    await begin(other);
    await other.press(WORDS.keep);
    await other.untilTitle(WORDS.thanks);
    await other.press(WORDS.close);
    await other.untilValue('the dialog', () => other.title(), undefined);
    const sessions = await stage.acme.sessions(flow);
    expect(sessions.map(({ status }) => status)).toEqual(['saved', 'canceled']);
    expect(await tab.noticed('error')).toEqual([]);
  });
});
