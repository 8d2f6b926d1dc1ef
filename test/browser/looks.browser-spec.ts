import type { FlowDefinition } from '../../src/flows/graph/flow-definition';
import { axeViolations } from './support/axe';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';
import { WORDS } from './support/words';

const PHONE = { width: 360, height: 640 };
/** As long as a title may be, and without a place to break a line. */
const LONG = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(4).slice(0, 200);

/** A walk past every kind of view: its title, and what to press to get to the next. */
type Views = [title: string, press: string[]][];

const VIEWS: Views = [
  ['Before you go', [WORDS.proceed]],
  ['Why are you leaving?', ['Too expensive', WORDS.proceed]],
  ['Stay for half the price', ['No thanks']],
  ['Cancel your subscription?', [WORDS.keep]],
  [WORDS.thanks, []],
];

const LONG_VIEWS: Views = [
  [LONG, [WORDS.proceed]],
  [`1${LONG}`.slice(0, 200), [LONG, WORDS.proceed]],
  [`2${LONG}`.slice(0, 200), [LONG]],
  [`3${LONG}`.slice(0, 200), [WORDS.keep]],
  [WORDS.thanks, []],
];

const longDefinition = (offer_id: string, image: { url: string; alt: string }): FlowDefinition => {
  const body = `${LONG} `.repeat(8);
  const points = Array.from({ length: 5 }, () => LONG.slice(0, 120));
  const options = Array.from({ length: 20 }, (_, n) => ({
    value: `option_${n}`,
    label: n === 1 ? LONG : `${n} ${LONG}`.slice(0, 200),
  }));
  return {
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: LONG, body, image, points }, next: 'reason' },
      {
        key: 'reason',
        type: 'survey',
        config: { title: LONG_VIEWS[1][0], body, comment: 'optional', options },
        next: 'offer',
      },
      { key: 'offer', type: 'offer', config: { offer_id }, next: 'confirm' },
      { key: 'confirm', type: 'confirm', config: { title: LONG_VIEWS[3][0], body, image, points } },
    ],
  };
};
const LONG_OFFER = {
  name: LONG,
  offer_value: LONG,
  offer_duration: LONG,
  heading: LONG_VIEWS[2][0],
  body: `${LONG} `.repeat(8),
  cta_decline: LONG,
};

inEachBrowser('The widget', (stage, { name }) => {
  const open = async (attributes: Record<string, string> = {}, html = '') => {
    const { slug } = await stage.acme.flow();
    return stage.open({ flow: slug, attributes, html });
  };

  const eachView = async (tab: Tab, views: Views, check: (view: string) => Promise<void>) => {
    await tab.clickLink();
    for (const [title, presses] of views) {
      await tab.untilTitle(title);
      await tab.settle();
      await check(title);
      for (const press of presses) await tab.press(press);
    }
  };

  /** Nothing in the dialog is wider than its place, and the dialog fits on the screen. */
  const overflowing = (tab: Tab) =>
    tab.inDialog((dialog) => {
      const { left, right, top, bottom } = dialog!.getBoundingClientRect();
      const out = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight ? ['the dialog'] : [];
      const wide = [dialog!, ...dialog!.querySelectorAll<HTMLElement>('*')].filter((one) => {
        const isShown = one.clientWidth > 1 && getComputedStyle(one).display !== 'inline';
        return isShown && one.scrollWidth > one.clientWidth;
      });
      return [...out, ...wide.map((one) => `${one.outerHTML.slice(0, 80)}: ${one.scrollWidth} > ${one.clientWidth}`)];
    });

  /** Whether the customer sees the whole cancel link without scrolling, and nothing covers it. */
  const seesCancel = (tab: Tab) =>
    tab.inDialog((dialog) => {
      const cancel = dialog!.querySelector('[part~=cancel]');
      if (!cancel) return false;
      const { left, right, top, bottom } = cancel.getBoundingClientRect();
      const root = cancel.getRootNode() as ShadowRoot;
      const isOnTop = (x: number, y: number) => {
        const hit = root.elementFromPoint(x, y);
        return !!hit && (cancel === hit || cancel.contains(hit));
      };
      const isIn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return isIn && isOnTop((left + right) / 2, top + 3) && isOnTop((left + right) / 2, bottom - 3);
    });

  const expectToFit = async (tab: Tab, view: string) => {
    expect({ view, overflowing: await overflowing(tab) }).toEqual({ view, overflowing: [] });
    if (view !== WORDS.thanks) expect({ view, seesCancel: await seesCancel(tab) }).toEqual({ view, seesCancel: true });
  };

  it('shows the cancel link on every node of a phone with 360 × 640, without scrolling', async () => {
    const tab = await open();
    await tab.page.setViewport(PHONE);
    await eachView(tab, VIEWS, (view) => expectToFit(tab, view));
  });

  it('does so with the longest texts, without a place to break a line', async () => {
    const image = { url: await stage.acme.picture(4096, 1), alt: LONG };
    const offer = { ...LONG_OFFER, image, points: [LONG.slice(0, 120)] };
    const { slug } = await stage.acme.advancedFlow((id) => longDefinition(id, image), offer);
    const tab = await stage.open({ flow: slug });
    await tab.page.setViewport(PHONE);
    await eachView(tab, LONG_VIEWS, (view) => expectToFit(tab, view));
  });

  it('shows pictures and points, several answers and months, and has nothing that axe finds fault with', async () => {
    const image = { url: await stage.acme.picture(), alt: 'A map of your tours' };
    const points = ['Your 12 projects', 'The price from 2024'];
    const options = [
      { value: 'price', label: 'The price', comment_label: 'What would be fair?' },
      { value: 'bugs', label: 'Too many faults' },
    ];
    const definition = (offer_id: string): FlowDefinition => ({
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Wait', image, points }, next: 'why' },
        {
          key: 'why',
          type: 'survey',
          config: { title: 'Why?', comment: 'optional', multiple: true, options },
          next: 'o',
        },
        { key: 'o', type: 'offer', config: { offer_id }, next: 'sure' },
        { key: 'sure', type: 'confirm', config: { title: 'Sure?', image, points } },
      ],
    });
    const terms = { offer_type: 'pause_subscription', terms: { months: [1, 2, 3] } };
    const { slug } = await stage.acme.advancedFlow(definition, { ...terms, heading: 'Pause', image, points });
    const tab = await stage.open({ flow: slug });
    await tab.page.setViewport(PHONE);
    const views: Views = [
      ['Wait', [WORDS.proceed]],
      ['Why?', ['The price', 'Too many faults', WORDS.proceed]],
      ['Pause', ['No thanks']],
      ['Sure?', [WORDS.keep]],
    ];
    await eachView(tab, views, async (view) => {
      await expectToFit(tab, view);
      expect({ view, violations: await axeViolations(tab.page) }).toEqual({ view, violations: [] });
      if (view !== 'Why?') {
        await tab.untilValue(
          'the picture',
          () => tab.inDialog((dialog) => dialog!.querySelector<HTMLImageElement>('[part=image]')!.naturalWidth),
          920,
        );
      }
    });
  });

  it('keeps the place of a picture that can not be loaded, and says what it would show', async () => {
    const image = { url: await stage.acme.picture(11, 13), alt: 'A map of your tours' };
    const config = { title: 'Sure?', image };
    const { slug } = await stage.acme.advancedFlow(() => ({
      entry: 'sure',
      nodes: [{ key: 'sure', type: 'confirm', config }],
    }));
    await stage.acme.call('DELETE', `${image.url.replace('/images/', '/api/v1/public/images/')}?force=true`);
    const tab = await stage.open({ flow: slug });
    await tab.begin('Sure?');
    const place = () =>
      tab.inDialog((dialog) => {
        const picture = dialog!.querySelector<HTMLElement>('[part=image]')!;
        return [(picture as HTMLImageElement).complete, picture.offsetHeight, picture.getAttribute('alt')];
      });
    await tab.untilValue('the place', async () => (await place()).join(), `true,160,${image.alt}`);
  });

  it('does so from right to left, with the close button on the left', async () => {
    const tab = await open({}, 'dir="rtl"');
    await tab.page.setViewport(PHONE);
    await eachView(tab, VIEWS, async (view) => {
      await expectToFit(tab, view);
      const isMirrored = await tab.inDialog((dialog) => {
        const close = dialog!.querySelector('[part~=close]')!.getBoundingClientRect();
        return getComputedStyle(dialog!).direction === 'rtl' && close.right < innerWidth / 2;
      });
      expect(isMirrored).toBe(true);
    });
  });

  it('is in the language of the link, of the page or of the browser, and runs as that language does', async () => {
    const inDialog = (tab: Tab) =>
      tab.inDialog((dialog) => {
        const { direction } = getComputedStyle(dialog!);
        return [dialog!.lang, direction, ...[...dialog!.querySelectorAll('h2, button')].map((one) => one.textContent)];
      });
    const { slug } = await stage.acme.flow();
    const hebrew = await stage.open({ flow: slug, attributes: { 'data-lang': 'he' } });
    await hebrew.begin('לפני שנפרדים');
    expect(await inDialog(hebrew)).toEqual([
      'he',
      'rtl',
      '×',
      'לפני שנפרדים',
      'המשך',
      'השארת המינוי שלי',
      'ביטול המינוי שלי',
    ]);
    const german = await stage.open({
      flow: slug,
      body: `<p lang="de-CH"><a href="/cancel-page" data-retention-flow="${slug}" data-message-keep="Bleiben">Cancel subscription</a></p>`,
    });
    await german.begin('Bevor Sie gehen');
    expect(await inDialog(german)).toEqual([
      'de-CH',
      'ltr',
      '×',
      'Bevor Sie gehen',
      'Weiter',
      'Bleiben',
      'Mein Abo kündigen',
    ]);
  });

  it('has nothing to scroll sideways at four times the zoom on a desktop: 320 × 256', async () => {
    const tab = await open();
    await tab.page.setViewport({ width: 320, height: 256 });
    await eachView(tab, VIEWS, async (view) => {
      expect({ view, overflowing: await overflowing(tab) }).toEqual({ view, overflowing: [] });
    });
  });

  it.each(['light', 'dark'])('has nothing that axe finds fault with, on every node, %s', async (scheme) => {
    const tab = await open({ 'data-color-scheme': scheme });
    await eachView(tab, VIEWS, async (view) => {
      expect({ view, violations: await axeViolations(tab.page) }).toEqual({ view, violations: [] });
    });
    const isDark = await tab.inDialog((dialog) => {
      const [red] = /\d+/.exec(getComputedStyle(dialog!).backgroundColor)!;
      return Number(red) < 128;
    });
    expect(isDark).toBe(scheme === 'dark');
    expect(await tab.noticed('violation')).toEqual([]);
  });

  it('has nothing that axe finds fault with while it waits and after a failure', async () => {
    const front = await stage.front();
    const { slug } = await stage.acme.flow();
    const tab = await stage.open({ service: front.url, flow: slug });
    front.fault = ({ method }) => (method === 'POST' ? 'silent' : undefined);
    await tab.clickLink();
    await tab.control(WORDS.leave);
    expect(await tab.text()).toContain(WORDS.moment);
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.page.keyboard.press('Escape');
    front.fault = () => undefined;
    await tab.begin();
    front.fault = () => 'cut';
    await tab.press(WORDS.proceed);
    await tab.control(WORDS.retry);
    expect(await axeViolations(tab.page)).toEqual([]);
    await expectToFit(tab, 'after a failure');
  });

  it('tells a screen reader what it is, and takes the focus into itself and keeps it', async () => {
    const tab = await open();
    // The screen reader is there before the dialog is.
    await tab.untilHeard('link', 'Cancel subscription');
    await tab.begin();
    await tab.untilHeard('dialog', 'Before you go');
    for (let tabs = 0; tabs < 8; tabs++) {
      const isInside = await tab.page.evaluate(
        () => document.activeElement === document.body || document.activeElement!.localName === 'retention-flow',
      );
      expect(isInside).toBe(true);
      await tab.page.keyboard.press('Tab');
    }
    for (const button of [WORDS.proceed, WORDS.close, WORDS.leave]) await tab.untilHeard('button', button);
  });

  it('speaks the language of the page', async () => {
    const { slug } = await stage.acme.flow();
    const tab = await stage.open({ flow: slug });
    await tab.page.evaluate(() => (document.documentElement.lang = 'de-AT'));
    await tab.begin('Bevor Sie gehen');
    await tab.control('Mein Abo kündigen');
    await tab.control('Weiter');
  });

  if (name === 'Chromium') {
    it('is dark if the system is, when the page asks for "auto", and light otherwise', async () => {
      for (const [scheme, isDark] of [
        ['auto', true],
        ['light', false],
      ]) {
        const tab = await open({ 'data-color-scheme': String(scheme) });
        await tab.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
        await tab.begin();
        const background = await tab.inDialog((dialog) => getComputedStyle(dialog!).backgroundColor);
        expect(Number(/\d+/.exec(background)) < 128).toBe(isDark);
      }
    });

    it('has the font, the corners and the scheme of the brand, unless the page says otherwise', async () => {
      const brand = { font: "'Acme Sans', serif", radius: '3px', scheme: 'dark' };
      await stage.acme.call('PUT', '/api/v1/public/workspace', { brand });
      const lookOf = async (attributes: Record<string, string> = {}, properties: Record<string, string> = {}) => {
        const tab = await open(attributes);
        await tab.page.evaluate((all) => {
          for (const [name, value] of Object.entries(all)) document.documentElement.style.setProperty(name, value);
        }, properties);
        await tab.begin();
        return tab.inDialog((dialog) => {
          const { fontFamily, borderTopLeftRadius, colorScheme } = getComputedStyle(dialog!);
          return [fontFamily, borderTopLeftRadius, colorScheme];
        });
      };
      expect(await lookOf()).toEqual(['"Acme Sans", serif', '3px', 'dark']);
      const own = { '--rf-font': 'monospace', '--rf-radius': '9px' };
      expect(await lookOf({ 'data-color-scheme': 'light' }, own)).toEqual(['monospace', '9px', 'light']);
      await stage.acme.call('PUT', '/api/v1/public/workspace', { brand: { font: null, radius: null, scheme: null } });
      expect(await lookOf()).toEqual(['system-ui', '12px', 'light']);
    });

    it('shows the borders of its buttons in forced colours, and which option is chosen', async () => {
      const tab = await open();
      const devtools = await tab.page.createCDPSession();
      await devtools.send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] });
      expect(await tab.page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
      await eachView(tab, VIEWS, async (view) => {
        await expectToFit(tab, view);
        const unbounded = await tab.inDialog((dialog) =>
          [dialog!, ...dialog!.querySelectorAll('[part~=primary], [part~=secondary]')]
            .filter((one) => {
              const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(one);
              return parseFloat(borderTopWidth) === 0 || borderTopColor === backgroundColor;
            })
            .map((one) => one.outerHTML),
        );
        expect({ view, unbounded }).toEqual({ view, unbounded: [] });
        expect({ view, violations: await axeViolations(tab.page) }).toEqual({ view, violations: [] });
      });
    });

    it.each(['reduce', 'no-preference'])('moves nothing for customers who ask for less motion: %s', async (value) => {
      const front = await stage.front();
      const { slug } = await stage.acme.flow();
      const tab = await stage.open({ service: front.url, flow: slug });
      await tab.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value }]);
      front.fault = () => 'silent';
      await tab.clickLink();
      await tab.control(WORDS.leave);
      const animation = await tab.inDialog((dialog) => {
        return getComputedStyle(dialog!.querySelector('[part~=busy]')!).animationName;
      });
      expect(animation).toBe(value === 'reduce' ? 'none' : 'rf-grow');
    });
  }
});
