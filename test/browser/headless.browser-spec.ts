import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { until } from '../faults/support/until';
import type { Flow } from './support/acme';
import { axeViolations } from './support/axe';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';

/** The dialog that docs/headless.md shows, in a bundle, for a service and a flow. */
async function dialogOfDocs(service: string, { slug }: Flow): Promise<string> {
  const [, code] = /```js\n\/\/ cancel-dialog\.js\n([^]*?)```/.exec(readFileSync('docs/headless.md', 'utf8'))!;
  const contents = code.replace('https://retention.acme.example', service).replace('leaving-acme-pro-7mzo5t5v', slug);
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: __dirname },
    alias: { '@retention-flow/client/headless': './client/headless/index.ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return `${outputFiles[0].text}; document.documentElement.dataset.ready = '';`;
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
          {
            key: 'nps',
            type: 'custom',
            config: { title: 'Would you recommend us?', kind: 'nps', data: { scale: 5 } },
            next: 'who',
          },
          {
            key: 'who',
            type: 'branch',
            config: { ways: [{ when: { all: [{ result: 'nps.score', is: '>=', value: 4 }] }, next: 'call' }] },
            next: 'sure',
          },
          { key: 'call', type: 'offer', config: { offer_id }, next: 'sure' },
          { key: 'sure', type: 'confirm', config: { title: 'Cancel now?' } },
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
