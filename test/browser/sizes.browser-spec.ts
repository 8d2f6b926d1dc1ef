import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import { until } from '../support/until';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';

/** A desktop, two phones on their side, a phone, a desktop at 400 % zoom (WCAG 1.4.10), and less than anybody has. */
const SIZES = ['1280 × 800', '640 × 280', '667 × 300', '360 × 640', '320 × 256', '256 × 200'];
/** What is between these is laid out by the same rules. */
const EXTREMES = ['1280 × 800', '640 × 280', '256 × 200'];

const SYLLABLES = 'Rind-fleisch-eti-ket-tie-rungs-über-wa-chungs-auf-ga-ben-über-tra-gungs-ge-setz';

const long = (beginning: string, length: number) =>
  `${beginning}: ${'Haftpflichtversicherungsbestätigung für Kundinnen und Kunden, '.repeat(9)}`.slice(0, length).trim();
const text = (beginning: string) => long(beginning, 100);
/** As long as a label of the service may be. */
const label = (beginning: string) => long(beginning, 200);
const words = (beginning: string) => long(beginning, 300);

const MESSAGES = Object.fromEntries(
  ['cancel', 'keep', 'continue', 'close', 'retry', 'notSent', 'notConfirmed', 'restarted', 'thanks', 'comment'].map(
    (name) => [name, words(name)],
  ),
);
/** As many as there may be, and as long. */
const POINTS = Array.from({ length: 5 }, (_, index) => long(`Point ${index + 1}`, 120));
const OFFER = {
  heading: text('Offer'),
  body: words('Offer'),
  cta_accept: label('Accept'),
  cta_decline: label('Decline'),
  points: POINTS,
  offer_type: 'pause_subscription',
  terms: { months: [1, 2] },
};

const definition = (offer_id: string, image: { url: string; alt: string }): FlowDefinition => ({
  entry: 'start',
  nodes: [
    {
      key: 'start',
      type: 'start',
      config: { title: text('Start'), body: words('Start'), image, points: POINTS },
      next: 'reason',
    },
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: text('Survey'),
        comment: 'optional',
        multiple: true,
        options: ['one', 'other'].map((value) => ({ value, label: text(value), comment_label: label(value) })),
      },
      next: 'offer',
    },
    { key: 'offer', type: 'offer', config: { offer_id }, next: 'confirm' },
    {
      key: 'confirm',
      type: 'confirm',
      config: { title: text('Confirm'), body: words('Confirm'), image, points: POINTS },
    },
  ],
});

inEachBrowser('In a window of any size', (stage, { name }) => {
  /** A page that opens the widget with a button, in its own words. */
  const open = async (size: string, hasTouch = false) => {
    const front = await stage.front();
    const image = { url: await stage.acme.picture(), alt: long('Picture', 200) };
    const { slug } = await stage.acme.advancedFlow((offer) => definition(offer, image), { ...OFFER, image });
    const tab = await stage.open({
      service: front.url,
      body: `<retention-flow flow="${slug}" cancel-url="/cancel-page?sub=1" lang="de"></retention-flow><button>Leave</button>`,
      module: `
        const flow = document.querySelector('retention-flow');
        flow.messages = ${JSON.stringify(MESSAGES)};
        document.querySelector('button').onclick = () => flow.show();`,
    });
    const [width, height] = size.split(' × ').map(Number);
    await tab.page.setViewport({ width, height, hasTouch });
    await tab.page.click('button');
    return { tab, front };
  };

  /**
   * All controls by their names; of those, which the customer sees: nothing covers their middle; and which has the
   * focus.
   */
  const controls = (tab: Tab) =>
    tab.inDialog((dialog) => {
      const root = dialog!.getRootNode() as ShadowRoot;
      const all = [...dialog!.querySelectorAll<HTMLElement>('button, label')];
      const isAt = (one: Element, x: number, y: number) => one.contains(root.elementFromPoint(x, y));
      const isSeen = (one: Element) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return isAt(one, left + width / 2, top + height / 2);
      };
      const indexes = all.map((_, index) => index);
      const focused = root.activeElement ?? dialog!;
      const { left, right, top, bottom } = focused.getBoundingClientRect();
      const box = dialog!.getBoundingClientRect();
      const middle = (Math.max(top, box.top) + Math.min(bottom, box.bottom)) / 2;
      return {
        names: all.map((one) => (one.ariaLabel ?? one.innerText).slice(0, 20)),
        seen: indexes.filter((index) => isSeen(all[index])),
        /** However long its text is: what is in the window of it is not covered. */
        focused: isAt(focused, (left + right) / 2, middle) ? all.findIndex((one) => one.contains(focused)) : -1,
      };
    });

  /**
   * Turns the wheel, by less than there is to see at once. Returns whether anything has moved, when it has come to
   * rest.
   */
  const turnWheel = async (tab: Tab, direction: 1 | -1) => {
    const state = () =>
      tab.inDialog((dialog) => {
        const content = dialog!.querySelector('[part~=content]')!;
        const [{ top, bottom }, box] = [content.getBoundingClientRect(), dialog!.getBoundingClientRect()];
        const isOut = bottom < box.top + 20;
        const y = isOut ? (box.top + box.bottom) / 2 : (Math.max(top, box.top) + Math.min(bottom, box.bottom)) / 2;
        const step = Math.round(0.6 * Math.min(content.clientHeight, dialog!.clientHeight));
        return { x: innerWidth / 2, y, step, at: dialog!.scrollTop + content.scrollTop };
      });
    const { x, y, step, at } = await state();
    await tab.page.mouse.move(x, y);
    await tab.page.mouse.wheel({ deltaY: step * direction });
    await tab.inDialog((dialog) => {
      const content = dialog!.querySelector('[part~=content]')!;
      const from = dialog!.scrollTop + content.scrollTop;
      let [last, frames] = [-1, 0];
      return new Promise<void>((resolve) => {
        const look = () => {
          const now = dialog!.scrollTop + content.scrollTop;
          frames = now === last ? frames + 1 : 0;
          last = now;
          // On a busy machine, the page hears of the wheel some frames later.
          if (frames > (now === from ? 20 : 3)) resolve();
          else requestAnimationFrame(look);
        };
        look();
      });
    });
    return (await state()).at !== at;
  };

  const expectToReachAll = async (tab: Tab, page: string) => {
    await tab.untilValue('the page', async () => (await tab.title())?.startsWith(`${page}:`), true);
    await tab.settle();
    const isTooWide = await tab.inDialog((dialog) => dialog!.scrollWidth > dialog!.clientWidth);
    expect({ page, isTooWide }).toEqual({ page, isTooWide: false });
    const { names } = await controls(tab);
    const without = (found: Set<number>) => names.filter((_, index) => !found.has(index));
    const byWheel = new Set<number>();
    do for (const index of (await controls(tab)).seen) byWheel.add(index);
    while (byWheel.size < names.length && (await turnWheel(tab, 1)));
    expect({ page, notByWheel: without(byWheel) }).toEqual({ page, notByWheel: [] });
    const byKey = new Set<number>();
    const press = async () => {
      await tab.page.keyboard.press('Tab');
      byKey.add((await controls(tab)).focused);
    };
    for (let tabs = 0; tabs <= names.length; tabs++) await press();
    await tab.page.keyboard.down('Shift');
    for (let tabs = 0; tabs <= names.length + 4; tabs++) await press();
    await tab.page.keyboard.up('Shift');
    // One Tab leads to the options, and arrows from one to the next.
    const notByKey = without(byKey).filter((one) => !one.startsWith('2 Monate'));
    expect({ page, notByKey }).toEqual({ page, notByKey: [] });
  };

  it.each(name === 'Chromium' ? SIZES : EXTREMES)(
    'every action of every page can be reached, with texts of 300 characters: %s',
    async (size) => {
      const { tab, front } = await open(size);
      await expectToReachAll(tab, 'Start');
      await tab.press(MESSAGES.continue);
      await expectToReachAll(tab, 'Survey');
      await tab.press(text('other'));
      await tab.press(MESSAGES.continue);
      await expectToReachAll(tab, 'Offer');
      front.fault = ({ action }) => (action === 'decline' ? 'cut' : undefined);
      await tab.press(OFFER.cta_decline);
      await tab.control(MESSAGES.retry);
      while (await turnWheel(tab, -1));
      await expectToReachAll(tab, 'Offer');
      front.fault = () => undefined;
      await tab.press(MESSAGES.retry);
      await expectToReachAll(tab, 'Confirm');
      await tab.press(MESSAGES.keep);
      await expectToReachAll(tab, 'thanks');
    },
  );

  if (name === 'Chromium') {
    it('a finger reaches the way out of a phone on its side', async () => {
      const { tab } = await open('640 × 280', true);
      await tab.control(MESSAGES.cancel);
      const isSeen = async () => {
        const { names, seen } = await controls(tab);
        return seen.includes(names.findIndex((one) => one.startsWith('cancel')));
      };
      // The dialog may still be opening.
      await until(isSeen, (seen) => !seen);
      const { touchscreen } = tab.page;
      for (let drags = 0; drags < 12 && !(await isSeen()); drags++) {
        await touchscreen.touchStart(320, 220);
        for (let y = 200; y > 40; y -= 20) await touchscreen.touchMove(320, y);
        await touchscreen.touchEnd();
      }
      expect(await isSeen()).toBe(true);
    });
  } else {
    // Firefox brings its dictionaries along, Chromium downloads them.
    it('long compounds break between syllables, in the language of the page', async () => {
      const title = SYLLABLES.replaceAll('-', '');
      const { slug } = await stage.acme.advancedFlow(() => ({
        entry: 'confirm',
        nodes: [{ key: 'confirm', type: 'confirm', config: { title } }],
      }));
      const tab = await stage.open({ flow: slug, attributes: { 'data-lang': 'de' } });
      await tab.page.setViewport({ width: 320, height: 256 });
      await tab.begin(title);
      const lines = await tab.inDialog((dialog) => {
        const [letters] = dialog!.querySelector('h2')!.childNodes as NodeListOf<Text>;
        const topOf = (index: number) => {
          const range = document.createRange();
          range.setStart(letters, index);
          range.setEnd(letters, index + 1);
          return range.getBoundingClientRect().top;
        };
        return [...letters.data].map(
          (letter, index) => (index && topOf(index) > topOf(index - 1) ? '\n' : '') + letter,
        );
      });
      const ofLines = lines.join('').split('\n');
      expect(ofLines.length).toBeGreaterThan(2);
      const ends = ofLines.map((_, index) => ofLines.slice(0, index + 1).join('').length);
      const ofSyllables = SYLLABLES.split('-');
      const allowed = ofSyllables.map((_, index) => ofSyllables.slice(0, index + 1).join('').length);
      expect(allowed).toEqual(expect.arrayContaining(ends));
    });
  }
});
