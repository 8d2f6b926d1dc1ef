import { Acme, type Flow } from './support/acme';
import type { Fault } from './support/front';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';
import { WORDS } from './support/words';

const HTML = { type: 'text/html', body: '<html><h1>Bad gateway</h1></html>' };

const FAULTS: [name: string, fault: Fault][] = [
  ['breaks the connection', 'cut'],
  ['breaks the connection after it has started the session', 'lost'],
  ['sends half an answer and then nothing', 'half'],
  ['answers 403 from a firewall', { status: 403, ...HTML }],
  ['answers 404', { status: 404, body: '{"code":"flow_not_found"}' }],
  ['answers 408', { status: 408 }],
  ['answers 429, to be asked again in a minute', { status: 429, headers: { 'retry-after': '60' } }],
  ['answers 500', { status: 500 }],
  ['answers 502 with HTML', { status: 502, ...HTML }],
  ['answers 201 with HTML', { status: 201, ...HTML }],
  ['answers 201 with an empty object', { status: 201 }],
  [
    'answers 201 with a node that is rubbish',
    { status: 201, body: '{"session_id":"b8c04cb1","flow":{"entry_node":{"key":1,"type":"survey","config":null}}}' },
  ],
  ['redirects in a circle', { status: 307, headers: { location: '/api/v1/runtime/session/init' } }],
  [
    'answers to another site only',
    { status: 201, headers: { 'access-control-allow-origin': 'https://other.example' } },
  ],
];

// How soon is a rule of the widget's walk, which its specs hold by a clock of their own.
inEachBrowser('A customer arrives at the cancellation page', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await stage.acme.flow();
  });

  const expectToLeave = async (tab: Tab) => {
    await tab.clickLink();
    await expectAtCancelPage(tab);
    expect(await tab.noticed('error')).toEqual([]);
  };
  const expectAtCancelPage = (tab: Tab) => tab.untilAt(stage.host.cancelPage);

  it.each(FAULTS)('when the service %s', async (_, fault) => {
    const front = await stage.front();
    front.fault = ({ method }) => (method === 'POST' ? fault : undefined);
    const tab = await stage.open({ service: front.url, flow: flow.slug });
    await expectToLeave(tab);
    // Browsers, too, send some requests again.
    expect(new Set(front.starts.map(({ key }) => key)).size).toBe(1);
    expect(await tab.noticed('unavailable')).toMatchObject([{ detail: { outcome: 'unavailable' } }]);
  });

  it.each([
    ['name is unknown', 'http://nowhere.invalid'],
    ['port is closed', 'http://127.0.0.1:1'],
    ['address is no address', 'http://'],
  ])("when the service's %s", async (_, api) => {
    await expectToLeave(await stage.open({ flow: flow.slug, connect: 'http:', attributes: { 'data-api': api } }));
  });

  it('when the page allows no connection to the service', async () => {
    const csp = `default-src 'none'; script-src ${stage.service}`;
    await expectToLeave(await stage.open({ flow: flow.slug, csp }));
  });

  it('when the flow does not exist', async () => {
    await expectToLeave(await stage.open({ flow: 'no-such-flow-00000000' }));
  });

  it('when the flow has no name', async () => {
    await expectToLeave(await stage.open({ flow: '' }));
  });

  it('when the workspace has reached its limit of sessions', async () => {
    const acme = await Acme.create(stage.service, stage.host.cancelPage, { session_limit: 1 });
    const { slug } = await acme.flow();
    await (await stage.open({ flow: slug })).begin();
    const tab = await stage.open({ flow: slug });
    await expectToLeave(tab);
    expect(await tab.noticed('unavailable')).toMatchObject([{ detail: { reason: 'session_limit_reached' } }]);
  });

  it('when the service is frozen', async () => {
    const tab = await stage.open({ flow: flow.slug });
    await stage.whileFrozen(() => expectToLeave(tab));
  });

  it('when the service was killed', async () => {
    const tab = await stage.open({ flow: flow.slug });
    stage.process.signal('SIGKILL');
    await stage.process.ended;
    try {
      await expectToLeave(tab);
    } finally {
      await stage.startService();
    }
  });

  it('when the page has an element of its own with the name of the widget', async () => {
    const csp = `default-src 'none'; script-src ${stage.service}`;
    const tab = await stage.open({ flow: flow.slug, csp, script: '' }, { widget: false });
    await tab.page.evaluate(() => customElements.define('retention-flow', class extends HTMLElement {}));
    await tab.page.addScriptTag({ url: `${stage.service}/widget/v1.js` });
    await tab.clickLink();
    await expectAtCancelPage(tab);
  });

  it('when the service is frozen before its script has come', async () => {
    await stage.whileFrozen(async () => {
      const tab = await stage.open({ flow: flow.slug }, { widget: false });
      await tab.clickLink();
      await expectAtCancelPage(tab);
    });
  });

  it.each([
    ['is blocked', (url: string) => ({ service: url, csp: `default-src 'none'` })],
    ['was left out', (url: string) => ({ service: url, script: '' })],
    [
      'does not exist',
      (url: string) => ({ service: url, script: `<script async src="${url}/widget/v0.js"></script>` }),
    ],
    ['may not run, because JavaScript is off', (url: string) => ({ service: url, csp: 'sandbox allow-same-origin' })],
  ])('when the script %s', async (_, page) => {
    const tab = await stage.open({ flow: flow.slug, ...page(stage.service) }, { widget: false });
    await tab.clickLink();
    await expectAtCancelPage(tab);
  });

  it('when the tab may store nothing', async () => {
    const tab = await stage.open({ flow: flow.slug, csp: `sandbox allow-scripts allow-forms; ` }, { widget: false });
    await tab.untilWidget();
    await tab.begin();
    await tab.press(WORDS.leave);
    await expectAtCancelPage(tab);
  });

  it('who clicks again while they wait leaves at once', async () => {
    const front = await stage.front();
    front.fault = ({ method }) => (method === 'POST' ? 'silent' : undefined);
    const tab = await stage.open({ service: front.url, flow: flow.slug });
    await tab.clickLink();
    await tab.press(WORDS.leave);
    await expectAtCancelPage(tab);
    expect(await tab.noticed('unavailable')).toEqual([]);
  });

  it.each<[string, Fault]>([
    ['breaks the connection', 'cut'],
    ['never answers', 'silent'],
    ['answers 404', { status: 404, body: '{"code":"session_not_found"}' }],
    ['answers 500', { status: 500 }],
  ])('after the click on "cancel my subscription" in the dialog, when the service %s', async (_, fault) => {
    const front = await stage.front();
    front.fault = ({ action }) => (action ? fault : undefined);
    const tab = await stage.open({ service: front.url, flow: flow.slug });
    await tab.begin();
    await tab.press(WORDS.leave);
    await expectAtCancelPage(tab);
  });

  it('after the click on "cancel my subscription", when the service is frozen; it hears of it later', async () => {
    const own = await stage.acme.flow();
    const tab = await stage.open({ flow: own.slug });
    await tab.begin();
    await stage.whileFrozen(async () => {
      await tab.press(WORDS.leave);
      await expectAtCancelPage(tab);
    });
    const status = async () => (await stage.acme.sessions(own))[0].status;
    await tab.untilValue('the status', status, 'canceled');
  });
});
