import { readFileSync } from 'node:fs';
import { claimsFor, type SigningKey, tokenOf } from '../support/customer-token';
import type { Flow } from './support/acme';
import { inEachBrowser } from './support/stage';
import { WORDS } from './support/words';

/** The module that docs/widget.md shows, for a service and a flow. */
function moduleOfDocs(service: string, flow: Flow): string {
  const [, code] = /```js\n(const WIDGET[^]*?)```/.exec(readFileSync('docs/widget.md', 'utf8'))!;
  return code.replace('https://retention.acme.example', service).replace('leaving-acme-pro-7mzo5t5v', flow.slug);
}

inEachBrowser('The page around the widget', (stage) => {
  let flow: Flow;
  let key: SigningKey;
  let workspace: { id: string };

  beforeAll(async () => {
    flow = await stage.acme.flow();
    workspace = await stage.acme.call('GET', '/api/v1/public/workspace');
    const settings = { name: 'Account pages', algorithm: 'HS256' };
    const { id, secret } = await stage.acme.call<{ id: string; secret: string }>(
      'POST',
      '/api/v1/public/customer-keys',
      settings,
    );
    key = { id, algorithm: 'HS256', key: secret };
  });

  const token = (claims = {}) => tokenOf(key, {}, claimsFor(workspace, claims));
  const expired = () => token({ iat: 1, exp: 2 });
  /** A module that gives the link a function for the token. */
  const withFunction = (body: string) => `
    document.querySelector('a').customerToken = ${body};
    document.documentElement.dataset.ready = '';`;

  it('fetches a fresh token before the start, in place of one that has expired', async () => {
    const own = await stage.acme.flow();
    const attributes = { 'data-customer-token': expired() };
    const module = withFunction(`() => new Promise((resolve) => setTimeout(resolve, 100, '${token()}'))`);
    const tab = await stage.open({ flow: own.slug, attributes, module });
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.begin();
    expect(await stage.acme.sessions(own)).toMatchObject([{ customer_id: 'cus_4711', customer_verified: true }]);
  });

  it.each([
    ['never answers', '() => new Promise(() => {})'],
    ['fails', '() => fetch("http://127.0.0.1:1")'],
    ['throws', '() => { throw new Error("no token"); }'],
  ])('lets the customer go when its function for the token %s', async (_, body) => {
    const tab = await stage.open({ flow: flow.slug, module: withFunction(body) });
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.clickLink();
    await tab.untilAt(stage.host.cancelPage);
    expect(await tab.noticed('unavailable')).toMatchObject([{ detail: { reason: 'no_customer_token' } }]);
    expect(await tab.noticed('error')).toEqual([]);
  });

  it('replaces the words of the widget, by attributes of the link', async () => {
    const front = await stage.front();
    const attributes = {
      'data-message-cancel': 'End my plan',
      'data-message-not-sent': 'Not sent.',
      'data-lang': 'de',
    };
    const tab = await stage.open({ service: front.url, flow: flow.slug, attributes });
    await tab.begin('Bevor Sie gehen');
    await tab.control('End my plan');
    front.fault = ({ action }) => (action ? 'cut' : undefined);
    await tab.press('Weiter');
    await tab.control('Erneut versuchen');
    expect(await tab.alert()).toContain('Not sent.');
  });

  it('replaces the words of the widget, by attributes of <retention-flow>; a property and an option go before', async () => {
    const tab = await stage.open({
      body: `<retention-flow flow="${flow.slug}" message-keep="Stay" message-cancel="Leave" message-close="Shut"></retention-flow>
        <button>Leave</button>`,
      module: `
        const element = document.querySelector('retention-flow');
        element.messages = { cancel: 'Go', close: 'Not now' };
        document.querySelector('button').addEventListener('click', () => element.show({ messages: { close: 'Later' } }));
        document.documentElement.dataset.ready = '';`,
    });
    await tab.until('the module has run', () => document.documentElement.dataset.ready === '');
    await tab.page.click('button');
    for (const name of ['Stay', 'Go', 'Later']) await tab.control(name);
  });

  const ofDocs = (csp?: string) =>
    stage.open(
      {
        flow: flow.slug,
        script: '',
        csp,
        body: '<button>Leave</button>',
        module:
          moduleOfDocs(stage.service, flow).replace("'/account/cancel'", "'/cancel-page?sub=1'") +
          `document.querySelector('button').addEventListener('click', cancel);
           document.documentElement.dataset.ready = '';`,
      },
      { widget: false },
    );

  it('shows the flow by import() as docs/widget.md has it, and goes on without it when it is blocked or frozen', async () => {
    const tab = await ofDocs();
    await tab.untilWidget();
    await tab.page.click('button');
    await tab.untilTitle('Before you go');

    const blocked = await ofDocs(`default-src 'none'; script-src 'self'`);
    await blocked.until('the module has run', () => document.documentElement.dataset.ready === '');
    await blocked.page.click('button');
    await blocked.untilAt(stage.host.cancelPage);

    await stage.whileFrozen(async () => {
      const late = await ofDocs();
      await late.until('the module has run', () => document.documentElement.dataset.ready === '');
      await late.page.click('button');
      await late.untilAt(stage.host.cancelPage);
    });
  });

  it('is loaded while the service is frozen, if a listener of "load" adds the script', async () => {
    const module = `
      addEventListener('load', () => {
        const script = document.createElement('script');
        script.src = '${stage.service}/widget/v1.js';
        document.head.append(script);
      });`;
    const csp = `script-src ${stage.service} 'self'`;
    const open = () => stage.open({ flow: flow.slug, csp, script: '', module }, { widget: false });
    await stage.whileFrozen(async () => {
      const tab = await open();
      await tab.until('the page is loaded', () => document.readyState === 'complete');
      await tab.clickLink();
      await tab.untilAt(stage.host.cancelPage);
    });
    const tab = await open();
    await tab.untilWidget();
    await tab.begin();
    await tab.press(WORDS.keep);
    await tab.untilTitle(WORDS.thanks);
  });
});
