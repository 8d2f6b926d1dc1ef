import type { BrowserContext } from 'puppeteer-core';
import { inEachBrowser, type Stage } from './support/stage';
import { Tab } from './support/tab';

const ROUNDS = 20;

/**
 * How long a customer waits from the click on "cancel" to the first node, beside the bare request for it from the same
 * page, in turn: what the widget adds is the difference. Prints, and asserts nothing.
 */
inEachBrowser('From the click to the first node', (stage) => {
  it('is this long', async () => {
    const { slug } = await stage.acme.flow();
    const url = stage.host.page({ service: stage.service, flow: slug });
    const measure = async (how: (tab: Tab) => Promise<number>, context: BrowserContext) => {
      const tab = await Tab.open(context, url);
      const time = await how(tab);
      await tab.page.evaluate(() => sessionStorage.clear());
      await tab.page.close();
      return time;
    };
    const bare = (tab: Tab) => tab.page.evaluate(bareRequest, stage.service, slug);
    const widget = (tab: Tab) => tab.page.evaluate(clickToNode);
    const times = { bareFirst: [], widgetFirst: [], bareAgain: [], widgetAgain: [] } as Record<string, number[]>;
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, how] of [['bare', bare] as const, ['widget', widget] as const]) {
        const context = await stage.browser.createBrowserContext();
        times[`${name}First`].push(await measure(how, context));
        times[`${name}Again`].push(await measure(how, context));
        await context.close();
      }
    }
    report(stage, times);
  });
});

function report({ kind }: Stage, { bareFirst, widgetFirst, bareAgain, widgetAgain }: Record<string, number[]>): void {
  const line = (what: string, bare: number[], widget: number[]) =>
    `  ${what}: ${median(widget)} ms, bare request ${median(bare)} ms, ` +
    `the widget adds ${Math.round(10 * (median(widget) - median(bare))) / 10} ms\n`;
  process.stdout.write(
    `${kind.name}, medians of ${ROUNDS}:\n` +
      line('with a preflight (first visit)', bareFirst, widgetFirst) +
      line('preflight cached', bareAgain, widgetAgain),
  );
}

function median(values: number[]): number {
  return Math.round(10 * values.toSorted((a, b) => a - b)[values.length >> 1]) / 10;
}

/** Runs in the page: milliseconds from a click until the title is in the open dialog. */
async function clickToNode(): Promise<number> {
  const begin = performance.now();
  document.querySelector<HTMLElement>('a[data-retention-flow]')!.click();
  const isShown = () =>
    !!document.querySelector('retention-flow')?.shadowRoot?.querySelector('dialog[open] [part~=title]');
  while (!isShown()) await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - begin;
}

/** Runs in the page: milliseconds until the answer to the request that starts a session has been read. */
async function bareRequest(service: string, slug: string): Promise<number> {
  const begin = performance.now();
  const response = await fetch(`${service}/api/v1/runtime/session/init`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ flow_slug: slug }),
  });
  await response.json();
  return performance.now() - begin;
}
