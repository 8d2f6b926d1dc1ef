import { mkdirSync, writeFileSync } from 'node:fs';
import { Acme, type Flow } from './support/acme';
import { axeViolations } from './support/axe';
import { inOneBrowser } from './support/stage';
import { Tab } from './support/tab';
import { WORDS } from './support/words';

/** The pictures of the README. Written with WRITE_PICTURES=1. */
const README_PICTURES = { light: 'docs/pictures/widget.png', dark: 'docs/pictures/widget-dark.png' };

inOneBrowser('The demo page', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await stage.acme.flow();
  });

  const open = async (query = `?flow=${flow.slug}`) =>
    Tab.open(await stage.context(), `${stage.service}/demo${query}`, { widget: query !== '' });

  const toggle = async ({ page }: Tab, label: string) => {
    const control = await page.waitForSelector(`::-p-xpath(//label[normalize-space()="${label}"])`);
    await control!.click();
  };
  const log = ({ page }: Tab) => page.$eval('#log', (list) => (list as HTMLElement).innerText);
  const expectToLeave = async (tab: Tab) => {
    await tab.clickLink();
    await tab.until('the cancellation page', () => location.pathname === '/demo/canceled');
  };

  it('shows what happens, as it happens', async () => {
    const tab = await open();
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.press('Take 50 % off');
    await tab.untilTitle(WORDS.thanks);
    const shown = await log(tab);
    const lines = ['POST /session/init', '201', 'offer_accepted'];
    for (const line of [...lines, ...['opened', 'shown', 'step', 'saved'].map((name) => `retention-flow:${name}`)]) {
      expect(shown).toContain(line);
    }
    expect(await tab.noticed('violation', 'error')).toEqual([]);
  });

  it('marks its sessions, so that they are in no number', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const { slug } = await acme.flow();
    const tab = await open(`?flow=${slug}`);
    await tab.begin();
    type Page = { sessions: { source: string | null }[] };
    const { sessions } = await acme.call<Page>('GET', '/api/v1/public/sessions');
    expect(sessions.map(({ source }) => source)).toEqual(['demo']);
    const stats = await acme.call<{ sessions: { total: number } }>('GET', '/api/v1/public/stats');
    expect(stats.sessions.total).toBe(0);
  });

  it('leads to its cancellation page, which still shows what happened', async () => {
    const tab = await open();
    await tab.begin();
    await tab.press(WORDS.leave);
    await tab.until('the cancellation page', () => location.pathname === '/demo/canceled');
    await tab.until('the log', () => !!document.querySelector('#log')?.textContent.includes('retention-flow:canceled'));
    expect(await axeViolations(tab.page)).toEqual([]);
    expect(await tab.noticed('violation', 'error')).toEqual([]);
  });

  it.each(['is frozen', 'is gone'])('lets the customer go when its service %s', async (service) => {
    const tab = await open();
    await toggle(tab, service);
    await expectToLeave(tab);
  });

  it('lets the customer go when its script is blocked', async () => {
    const tab = await open();
    await toggle(tab, 'script blocked');
    await tab.until(
      'the page without the widget',
      () => location.search.includes('blocked') && !customElements.get('retention-flow'),
    );
    await tab.until('the page is ready', () => document.readyState === 'complete');
    await tab.page.click('#cancel');
    await tab.until('the cancellation page', () => location.pathname === '/demo/canceled');
  });

  it('shows the widget dark, and in another language', async () => {
    const tab = await open();
    await toggle(tab, 'dark');
    await tab.page.select('#language', 'fr');
    await tab.begin('Avant de partir');
    await tab.control('Résilier mon abonnement');
    const background = await tab.inDialog((dialog) => getComputedStyle(dialog!).backgroundColor);
    expect(Number(/\d+/.exec(background))).toBeLessThan(128);
  });

  it('asks for a flow without one', async () => {
    const tab = await open('');
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.page.type('#slug', flow.slug);
    await tab.page.keyboard.press('Enter');
    await tab.untilWidget();
    await tab.begin();
  });

  it.each(['light', 'dark'])('has nothing that axe finds fault with, %s', async (scheme) => {
    const tab = await open();
    if (scheme === 'dark') await toggle(tab, 'dark');
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.begin();
    expect(await axeViolations(tab.page)).toEqual([]);
  });

  it('fits on a phone', async () => {
    const tab = await open();
    await tab.page.setViewport({ width: 360, height: 640 });
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  if (process.env.WRITE_PICTURES) {
    it.each(['light', 'dark'] as const)('is the picture of the README, %s', async (scheme) => {
      const tab = await open();
      await tab.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      if (scheme === 'dark') await toggle(tab, 'dark');
      await tab.page.setViewport({ width: 1120, height: 760 });
      await tab.begin();
      await tab.press(WORDS.proceed);
      await tab.press('Too expensive');
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Stay for half the price');
      await tab.settle();
      await tab.page.evaluate(() => scrollTo(0, 0));
      const image = await tab.page.screenshot();
      expect(image.length).toBeLessThan(100_000);
      mkdirSync('docs/pictures', { recursive: true });
      writeFileSync(README_PICTURES[scheme], image);
    });
  }
});
