import { until } from '../faults/support/until';
import type { Flow } from './support/acme';
import { inEachBrowser } from './support/stage';
import { WORDS } from './support/words';

/** What a host's style sheet may do at its worst. */
const HOSTILE_CSS = `
  html { font-size: 41px; }
  body { zoom: 1.3; letter-spacing: 9px; text-transform: uppercase; line-height: 4; cursor: wait; color: red; }
  * { all: unset !important; visibility: hidden !important; font: 40px cursive !important; pointer-events: none
  * !important; }
  dialog, retention-flow { display: none !important; opacity: 0 !important; position: static !important; }
  :root, html, body, retention-flow { filter: blur(3px); transform: scale(0.5); contain: strict; }
  button, a, label, input, textarea { background: red !important; color: red !important; }
  ::backdrop { display: none; }
  :root { --brand: red; --ink: red; --main: red; --line: 9px solid red; --radius: 99px; --error: red; }
  a, main, p, h1 { visibility: visible !important; pointer-events: auto !important; }
`;

inEachBrowser('The widget is a guest on the page', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await stage.acme.flow();
  });

  it('leaves nothing on the page but one custom element: no globals', async () => {
    const without = await stage.open({ script: '' }, { widget: false });
    const tab = await stage.open({ flow: flow.slug });
    const globals = () => Object.getOwnPropertyNames(window).toSorted();
    const before = await without.page.evaluate(globals);
    expect(await tab.page.evaluate(globals)).toEqual(before);
    await tab.begin();
    expect(await tab.page.evaluate(globals)).toEqual(before);
    const ofHost = () =>
      [...document.querySelectorAll('*')].map(({ localName }) => localName).filter((name) => name.includes('-'));
    expect(await tab.page.evaluate(ofHost)).toEqual(['retention-flow']);
  });

  it('keeps to the strictest Content-Security-Policy, loads one script, and asks nobody but the service', async () => {
    const tab = await stage.open({ flow: flow.slug });
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.press('Take 50 % off');
    await tab.untilTitle(WORDS.thanks);
    expect(await tab.noticed('violation', 'error')).toEqual([]);
    const asked = tab.requests.filter((url) => !url.startsWith(stage.host.origin));
    expect(asked.filter((url) => !url.startsWith(`${stage.service}/api/v1/runtime/session/`))).toEqual([
      `${stage.service}/widget/v1.js`,
    ]);
  });

  it('looks the same whatever the style sheet of the page does, and changes nothing on the page', async () => {
    const looks = async (css: string) => {
      const tab = await stage.open({ flow: flow.slug, css });
      const ofPage = () =>
        JSON.stringify([...document.querySelectorAll('main *')].map((one) => one.getBoundingClientRect()));
      const before = await tab.page.evaluate(ofPage);
      await tab.begin();
      await tab.settle();
      expect(await tab.page.evaluate(ofPage)).toBe(before);
      const parts = await tab.inDialog((dialog) =>
        [dialog!, ...dialog!.querySelectorAll('[part]')].map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect();
          const { color, backgroundColor, fontSize, fontFamily, letterSpacing, textTransform, cursor, visibility } =
            getComputedStyle(part);
          const box = [x, y, width, height].map((value) => Math.round(value));
          const style = {
            color,
            backgroundColor,
            fontSize,
            fontFamily,
            letterSpacing,
            textTransform,
            cursor,
            visibility,
          };
          return { part: part.getAttribute('part'), box, ...style };
        }),
      );
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Why are you leaving?');
      return parts;
    };
    expect(await looks(HOSTILE_CSS)).toEqual(await looks(''));
  });

  it('has the colour of the workspace and a readable button where the page has custom properties of its own', async () => {
    const { session_id } = await stage.acme.call<{ session_id: string }>(
      'POST',
      `/api/v1/public/flows/${flow.id}/preview`,
    );
    const tab = await stage.open(
      {
        script: '',
        body: '<button>Look</button>',
        css: HOSTILE_CSS.slice(HOSTILE_CSS.indexOf(':root { --')),
        module: `
          import { show } from '${stage.service}/widget/v1.mjs';
          document.querySelector('button').onclick = () => show({ sessionId: '${session_id}' });
          document.documentElement.dataset.ready = '';`,
      },
      { widget: false },
    );
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.page.click('button');
    await tab.untilTitle('Before you go');
    const colors = await tab.inDialog((dialog) => {
      const { color, backgroundColor, borderTopWidth } = getComputedStyle(dialog!.querySelector('[part~=primary]')!);
      return [color, backgroundColor, borderTopWidth];
    });
    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(79, 70, 229)', '1px']);
  });

  /** Runs in the page: listens to one event, and does something to it. */
  const listen = (type: string, doIt: string) =>
    `document.addEventListener('retention-flow:${type}', (event) => { ${doIt} });`;

  it('tells the page of the opening, of every node and step, and of the end, with events that bubble from the link', async () => {
    const tab = await stage.open({
      flow: flow.slug,
      module: listen('saved', 'document.title = event.target.localName + " " + event.composed'),
    });
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.press('Take 50 % off');
    await tab.untilNoticed('saved');
    const [{ steps }] = await stage.acme.sessions(flow);
    const sessionId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    const start = { sessionId, node: 'start', type: 'start' };
    const reason = { sessionId, node: 'reason', type: 'survey' };
    const offerId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
    const offer = { sessionId, node: 'offer_1', type: 'offer', offerId };
    expect(await tab.noticed('opened', 'shown', 'step')).toEqual([
      { type: 'opened', detail: { flow: flow.slug } },
      { type: 'shown', detail: start },
      { type: 'step', detail: { ...start, action: 'continue' } },
      { type: 'shown', detail: reason },
      { type: 'step', detail: { ...reason, action: 'answer', option: 'too_expensive' } },
      { type: 'shown', detail: offer },
      { type: 'step', detail: { ...offer, action: 'accept' } },
    ]);
    expect(steps.map(({ action }) => action)).toEqual(['continue', 'answer', 'accept']);
    expect(await tab.noticed('saved')).toMatchObject([
      {
        detail: {
          outcome: 'saved',
          reason: 'offer_accepted',
          sessionId,
          acceptedOffer: { heading: 'Stay for half the price', offer_value: '50%' },
        },
      },
    ]);
    expect(await tab.page.title()).toBe('a true');
  });

  it('lets the page wait for its own request after "saved", and the customer close the dialog', async () => {
    const tab = await stage.open({
      flow: flow.slug,
      module: listen('saved', 'event.waitUntil(new Promise((resolve) => { document.body.onkeyup = resolve; }));'),
    });
    await tab.begin();
    await tab.press(WORDS.keep);
    await tab.untilTitle(WORDS.thanks);
    const isBusy = async () => (await tab.text())!.includes(WORDS.moment);
    await tab.untilValue('busy', isBusy, true);
    await tab.page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keyup')));
    await tab.untilValue('busy', isBusy, false);
    await tab.press(WORDS.close);
    await tab.untilValue('the title', () => tab.title(), undefined);
    expect(await tab.noticed('saved', 'closed')).toMatchObject([{ detail: { outcome: 'saved', reason: 'kept' } }]);
  });

  it.each(['canceled', 'unavailable'])(
    'stays on the page after "%s" when the page prevents the default',
    async (type) => {
      const front = await stage.front();
      if (type === 'unavailable') front.fault = ({ method }) => (method === 'POST' ? { status: 404 } : undefined);
      const tab = await stage.open({
        service: front.url,
        flow: flow.slug,
        module: listen(type, 'event.preventDefault();'),
      });
      if (type === 'unavailable') await tab.clickLink();
      else {
        await tab.begin();
        await tab.press(WORDS.leave);
      }
      await tab.untilNoticed(type);
      await tab.untilValue('the title', () => tab.title(), undefined);
      expect(await tab.noticed(type)).toMatchObject([{ detail: { outcome: type } }]);
      expect(await tab.focused()).toBe('Cancel subscription');
      expect(tab.page.url()).toContain('/account');
    },
  );

  it('passes the customer of the link on', async () => {
    const own = await stage.acme.flow();
    const tab = await stage.open({ flow: own.slug, attributes: { 'data-customer-id': 'cus_4711' } });
    await tab.begin();
    expect(await stage.acme.sessions(own)).toMatchObject([{ customer_id: 'cus_4711' }]);
  });

  it.each([
    ['a misspelled attribute', { 'data-customerid': 'cus_4711' }, 'data-customerid is not read; use data-customer-id'],
    ['a setting without its prefix', { 'color-scheme': 'dark' }, 'color-scheme is not read; use data-color-scheme'],
    [
      'a customer that a token could give',
      { 'data-customer': '{}' },
      'data-customer is not read; use data-customer-token',
    ],
    ['a link that leads nowhere', { href: 'mailto:ada@example.com' }, 'the link has no href with http or https'],
    ['a listener that comes first', {}, 'a listener of the page prevented the click before'],
  ])('warns the developer in the console of %s', async (what, attributes, warning) => {
    const first = `
      addEventListener('click', (event) => event.preventDefault(), true);
      document.head.append(Object.assign(document.createElement('script'), { src: '${stage.service}/widget/v1.js' }));`;
    const csp = `script-src ${stage.service} 'self'`;
    const page = what.includes('listener') ? { module: first, script: '', csp } : {};
    const tab = await stage.open({ flow: flow.slug, attributes, ...page });
    const warnings: string[] = [];
    tab.page.on('console', (message) => warnings.push(message.text()));
    await tab.clickLink();
    await until(`the warning "${warning}"`, () => warnings.some((text) => text.includes(warning)));
  });

  it('enhances links that come later, too', async () => {
    const tab = await stage.open({ body: '<p></p>' });
    await tab.page.evaluate((slug) => {
      const link = document.createElement('a');
      Object.assign(link, { href: '/cancel-page?sub=1', textContent: 'Cancel subscription' });
      link.dataset.retentionFlow = slug;
      document.querySelector('p')!.append(link);
    }, flow.slug);
    await tab.begin();
  });

  it('shows a flow by <retention-flow>, which says how it ended', async () => {
    const tab = await stage.open({
      body: `<retention-flow flow="${flow.slug}" cancel-url="/cancel-page?sub=1"></retention-flow><button>Leave</button>`,
      module: `
        document.querySelector('button').addEventListener('click', async () => {
          const { outcome } = await document.querySelector('retention-flow').show({ customer: { id: 'cus_1' } });
          document.title = outcome;
        });`,
    });
    await tab.page.click('button');
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.close);
    await tab.untilValue('the outcome', () => tab.page.title(), 'closed');
    await tab.page.click('button');
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
  });

  it('lets the customer cancel when <retention-flow> stands in a menu that closes with the click', async () => {
    const tab = await stage.open({
      body: `<div><retention-flow flow="${flow.slug}" cancel-url="/cancel-page?sub=1"></retention-flow><button>Leave</button></div>`,
      module: `
        document.querySelector('button').addEventListener('click', () => {
          document.querySelector('retention-flow').show();
          document.querySelector('div').hidden = true;
        });`,
    });
    await tab.page.click('button');
    await tab.untilAt(stage.host.cancelPage);
  });

  it('takes an empty token for none', async () => {
    const tab = await stage.open({ flow: flow.slug, attributes: { 'data-customer-token': '' } });
    await tab.begin();
  });

  it('shows a flow by show() of the ES module; without an address of its own, the service says where to cancel', async () => {
    const tab = await stage.open(
      {
        script: '',
        body: '<button>Leave</button>',
        module: `
          const { show } = await import('${stage.service}/widget/v1.mjs');
          document.querySelector('button').addEventListener('click', async () => {
            const options = { flow: '${flow.slug}', customerId: 'cus_2' };
            const [{ outcome }, again] = await Promise.all([show(options), show(options)]);
            document.title = outcome === again.outcome ? outcome : 'two dialogs';
          });
          document.documentElement.dataset.ready = '';`,
      },
      { widget: false },
    );
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.page.click('button');
    await tab.untilTitle('Before you go');
    await tab.page.keyboard.press('Escape');
    await tab.untilValue('the outcome', () => tab.page.title(), 'closed');
    expect(await tab.focused()).toBe('Leave');
    await tab.page.click('button');
    await tab.untilTitle('Before you go');
    await tab.press(WORDS.leave);
    await tab.untilAt(`${stage.host.origin}/cancel-page?by=service`);
    expect(await tab.noticed('violation', 'error')).toEqual([]);
  });
});
