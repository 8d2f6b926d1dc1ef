import { Acme, type Flow } from '../support/acme';
import { Console } from '../support/console';
import { inEachBrowser, type Stage } from '../support/stage';
import { Tab } from '../support/tab';
import { WORDS } from '../support/words';

const ask = (key: string, title: string) => ({
  key,
  type: 'survey',
  config: { title, options: [{ value: 'other', label: 'Something else' }] },
  next: 'confirm',
});

const DEFINITION = {
  entry: 'start',
  nodes: [
    { key: 'start', type: 'start', config: { title: 'Hello {{first_name|there}}' }, next: 'team' },
    {
      key: 'team',
      type: 'branch',
      config: { ways: [{ when: { all: [{ attribute: 'seats', is: '>=', value: 10 }] }, next: 'test' }] },
      next: 'small',
    },
    ask('small', 'A small team'),
    {
      key: 'test',
      type: 'split',
      config: {
        ways: [
          { name: 'first', weight: 1, next: 'one' },
          { name: 'second', weight: 1, next: 'two' },
        ],
      },
    },
    ask('one', 'The first arm'),
    ask('two', 'The second arm'),
    { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } },
  ],
};

inEachBrowser('A preview', (stage) => {
  it('is walked through by whoever has the link, as often as they like, and counted nowhere', async () => {
    const flow = await stage.acme.flow({ accept_url: 'https://acme.example/upgrade' });
    const tab = await openLink(stage, await preview(stage, flow));
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.leave);
    await untilSaid(tab, 'The customer goes on to your cancellation page.');
    await tab.page.click('#again');
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.press('Take 50 % off');
    await untilSaid(tab, 'The customer stays, and goes on to https://acme.example/upgrade');
    expect(tab.page.url()).toContain('/preview#');
    expect(await tab.noticed('violation', 'error')).toEqual([]);
    await tab.page.reload();
    await untilSaid(tab, 'Somebody has walked through this preview to its end.');
    expect(await stage.acme.sessions(flow)).toEqual([]);
  });

  it('is gone after a day, and says so', async () => {
    const tab = await openLink(stage, `${stage.service}/preview#00000000-0000-8f00-8000-000000000000`);
    await untilSaid(tab, 'This preview is gone. A preview lasts a day: ask for a new link.');
    expect(await tab.page.$eval('#again', (button) => (button as HTMLElement).hidden)).toBe(true);
  });

  it('has the colour of the workspace, and text that can be read on it', async () => {
    for (const [primary_color, ink] of [
      ['#facc15', 'rgb(0, 0, 0)'],
      ['#1e3a8a', 'rgb(255, 255, 255)'],
    ]) {
      const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { primary_color });
      const tab = await openLink(stage, await preview(stage, await acme.flow(), acme));
      await tab.untilTitle('Before you go');
      const colors = await tab.inDialog((dialog) => {
        const { color, backgroundColor } = getComputedStyle(dialog!.querySelector('[part~=primary]')!);
        return [color, backgroundColor];
      });
      const [red, green, blue] = [1, 3, 5].map((at) => parseInt(primary_color.slice(at, at + 2), 16));
      expect(colors).toEqual([ink, `rgb(${red}, ${green}, ${blue})`]);
    }
  });

  it('walks each branch and each arm in the console, at the width of a phone and wide', async () => {
    const flow = await stage.acme.advancedFlow(() => DEFINITION as never);
    const console = await Console.signedIn(stage, `/flows/${flow.id}`);
    await console.press('Preview');
    const titleAfterStart = async () => {
      const tab = await openLink(stage, await linkIn(console));
      await tab.press(WORDS.proceed);
      await tab.until(
        'the next page',
        () => !document.querySelector('retention-flow')?.shadowRoot?.textContent?.includes('Hello'),
      );
      return tab.title();
    };
    await console.untilFramed('Hello there');
    expect(await console.looks()).toEqual([]);
    expect(await titleAfterStart()).toBe('A small team');

    for (const [arm, title] of [
      ['first', 'The first arm'],
      ['second', 'The second arm'],
    ]) {
      const before = await linkIn(console);
      await console.fill('seats', '10');
      await console.fill('first_name', 'Ada');
      await console.choose('Arm of test', arm);
      await console.press('Walk as this customer');
      await console.page.waitForFunction(
        (before) => document.querySelector('dialog .secret code')!.textContent !== before,
        {},
        before,
      );
      await console.untilFramed('Hello Ada');
      expect(await titleAfterStart()).toBe(title);
    }
    const widthOf = () => console.page.$eval('.preview-frame', (frame) => (frame as HTMLElement).offsetWidth);
    expect(await widthOf()).toBeGreaterThan(700);
    await console.press('Phone, 360 px');
    expect(await widthOf()).toBe(360);
    expect(await stage.acme.sessions(flow)).toEqual([]);
  });
});

async function preview(stage: Stage, { id }: Flow, acme = stage.acme): Promise<string> {
  const path = `/api/v1/public/flows/${id}/preview`;
  const { session_id } = await acme.call<{ session_id: string }>('POST', path, {});
  return `${stage.service}/preview#${session_id}`;
}

/** As somebody who is not signed in. */
async function openLink(stage: Stage, link: string): Promise<Tab> {
  return Tab.open(await stage.context(), link, { widget: false });
}

async function untilSaid(tab: Tab, sentence: string): Promise<void> {
  await tab.untilValue('what the page says', () => tab.page.$eval('#said', (said) => said.textContent), sentence);
}

async function linkIn({ page }: Console): Promise<string> {
  const code = await page.waitForSelector('dialog .secret code');
  return code!.evaluate((code) => code.textContent);
}
