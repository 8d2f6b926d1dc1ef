import { readFileSync } from 'node:fs';
import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { API_KEY, StripeDouble } from '../../billing/stripe-double';
import { connected } from '../../support/database';
import { ENCRYPTION_KEY } from '../../support/environment';
import { Acme, type Person } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

/** What runs if it is ever taken for a part of a page. */
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
/** The same where no spaces and quotes may be. */
const HOSTILE_URL = 'https://acme.example/?q=<img/src=x/onerror=window.hacked=1>';

/** The addresses of all pages, with the names of their parameters. */
const PATTERNS = [
  ...readFileSync('web/console/shell/pages.tsx', 'utf8').matchAll(/^ {2}\['(\/[^']*)', \w+Page\],$/gm),
].map(([, pattern]) => pattern);

const graph =
  (audience: string) =>
  (offerId: string): FlowDefinition => ({
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: HOSTILE, body: HOSTILE }, next: 'split' },
      {
        key: 'split',
        type: 'split',
        config: {
          ways: [
            { name: 'a', weight: 1, next: 'branch' },
            { name: 'b', weight: 1, next: 'branch' },
          ],
        },
      },
      {
        key: 'branch',
        type: 'branch',
        config: {
          ways: [{ when: { all: [{ attribute: 'plan', is: '=', value: HOSTILE }, { audience }] }, next: 'reason' }],
        },
        next: 'reason',
      },
      {
        key: 'reason',
        type: 'survey',
        config: {
          title: HOSTILE,
          body: HOSTILE,
          comment: 'required',
          options: [{ value: 'other', label: HOSTILE }],
        },
        next: 'offer',
      },
      { key: 'offer', type: 'offer', config: { offer_id: offerId }, next: 'confirm' },
      { key: 'confirm', type: 'confirm', config: { title: HOSTILE, body: HOSTILE } },
    ],
  });

const settings = { ENCRYPTION_KEY, STRIPE_API_URL: '' };
let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await StripeDouble.start();
  settings.STRIPE_API_URL = stripe.url;
});
afterAll(() => stripe.stop());

inOneBrowser(
  'Hostile text in the console',
  (stage) => {
    let acme: Acme;
    let person: Person;
    /** Of what the `:id` in an address is one, by the list that it is in. */
    let ids: Record<string, string>;

    const take = async (path: string, body: object) => {
      const response = await fetch(`${stage.service}/api/v1/runtime/session/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { session_id: string };
    };

    const goThrough = async (slug: string, id: string, last: object[]): Promise<void> => {
      const customer = { id, email: 'a@acme.example', attributes: { plan: HOSTILE, [HOSTILE]: HOSTILE } };
      const { session_id } = await take('init', { flow_slug: slug, customer });
      await take(`${session_id}/step`, { node_key: 'start', action: 'continue' });
      await take(`${session_id}/step`, { node_key: 'reason', action: 'answer', option: 'other', comment: HOSTILE });
      for (const step of last) await take(`${session_id}/step`, step);
    };

    beforeAll(async () => {
      acme = await Acme.create(stage.service, HOSTILE_URL, { name: HOSTILE, logo_url: HOSTILE_URL });
      const when = { all: [{ attribute: HOSTILE, is: '=', value: HOSTILE }] };
      const audience = await acme.call<{ id: string }>('POST', '/api/v1/public/audiences', { name: HOSTILE, when });
      const flow = await acme.advancedFlow(graph(audience.id), {
        name: HOSTILE,
        offer_value: HOSTILE,
        offer_duration: HOSTILE,
        heading: HOSTILE,
        body: HOSTILE,
        cta_accept: HOSTILE,
        cta_decline: HOSTILE,
        metadata: { coupon: HOSTILE },
      });
      await acme.call('PUT', `/api/v1/public/flows/${flow.id}`, {
        name: HOSTILE,
        product_name: HOSTILE,
        metadata: { coupon: HOSTILE },
      });
      const exit = { enabled: true, kinds: ['termination'] };
      await acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { exit });
      const declared = {
        kind: 'termination',
        name: HOSTILE,
        contract: HOSTILE,
        reason: HOSTILE,
        email: 'a@acme.example',
      };
      await acme.call('POST', `/api/v1/runtime/exit/${flow.slug}`, declared);
      await acme.call('PUT', '/api/v1/public/billing/connection', { api_key: API_KEY, mode: 'live' });
      await acme.apiKey({ name: HOSTILE });
      person = await acme.person('owner', { name: HOSTILE });
      await acme.call('POST', '/api/v1/public/customer-keys', { name: HOSTILE, algorithm: 'HS256' });
      const webhook = await acme.call<{ id: string }>('POST', '/api/v1/public/webhooks', { url: HOSTILE_URL });
      await goThrough(flow.slug, HOSTILE, [{ node_key: 'offer', action: 'accept' }]);
      await goThrough(flow.slug, `${HOSTILE} B`, [
        { node_key: 'offer', action: 'decline' },
        { node_key: 'confirm', action: 'confirm' },
      ]);
      const manual = `UPDATE fulfilments SET state = 'manual', next_attempt_at = NULL, detail = $1`;
      await connected(stage.databaseUrl, (client) => client.query(manual, [HOSTILE]));
      const [session] = await acme.sessions(flow);
      const path = '/api/v1/public/declarations';
      const { declarations } = await acme.call<{ declarations: { id: string }[] }>('GET', path);
      const { offers } = await acme.call<{ offers: { id: string }[] }>('GET', '/api/v1/public/offers');
      ids = {
        flows: flow.id,
        offers: offers[0].id,
        sessions: session.id,
        webhooks: webhook.id,
        declarations: declarations[0].id,
      };
    });

    const addressOf = (pattern: string) =>
      pattern.replace(/^\/(\w+)\/:id/, (_, list: string) => `/${list}/${ids[list]}`);

    const open = async (console: Console, path: string) => {
      await console.goTo(path);
      await console.tab.until(`the page ${path} is read`, () => !document.querySelector('[aria-busy=true]'));
      await console.page.waitForNetworkIdle({ idleTime: 150 });
      // What is folded up is a part of the page, too.
      await console.page.$$eval('details', (all) => all.forEach((one) => (one.open = true)));
    };

    /** What of the hostile text is more than text; `[]` is well. */
    const harmIn = async (console: Console) => [
      ...(await console.page.evaluate(() => [
        ...('hacked' in window ? ['It ran'] : []),
        ...[...document.querySelectorAll('[onerror], img[src="x"], main script')].map((one) => one.outerHTML),
        ...[...document.querySelectorAll('a')].map((one) => one.protocol).filter((one) => !/^https?:$/.test(one)),
      ])),
      ...(await console.tab.noticed('violation', 'error')),
    ];

    /** What a page shows, what is in its fields as well. */
    const shownBy = (console: Console) =>
      console.page.evaluate(() => {
        const fields = [...document.querySelectorAll<HTMLInputElement>('main input, main textarea')];
        return [document.querySelector('main')!.innerText, ...fields.map(({ value }) => value)].join('\n');
      });

    it('is looked for on all pages', () => {
      expect(PATTERNS).toEqual(expect.arrayContaining(['/', '/flows/:id', '/sessions/:id', '/settings']));
      expect(PATTERNS.map(addressOf).filter((path) => /:|undefined/.test(path))).toEqual([]);
    });

    it('is text on every page', async () => {
      const console = await Console.as(person, stage, '/settings');
      for (const pattern of PATTERNS) {
        await open(console, addressOf(pattern));
        expect([pattern, await harmIn(console)]).toEqual([pattern, []]);
        expect(await console.text('.workspace-name')).toBe(HOSTILE);
        const shown = await shownBy(console);
        // A form for something new has nothing yet.
        const isBare = pattern.endsWith('/new') || shown.trim() === (await console.text('h1')).trim();
        if (!isBare) expect([pattern, shown]).toEqual([pattern, expect.stringMatching(/<img.src=x/)]);
      }
    });

    it('fits on every page of any width, and axe finds no fault there', async () => {
      const console = await Console.as(person, stage, '/settings');
      for (const pattern of PATTERNS) {
        await open(console, addressOf(pattern));
        expect([pattern, await console.looks()]).toEqual([pattern, []]);
      }
    });

    it('does nothing in the address of a page', async () => {
      const console = await Console.as(person, stage, '/settings');
      const names = ['status', 'flow_id', 'customer_id', 'option', 'from', 'to', 'type', 'search', 'version', 'cursor'];
      const query = new URLSearchParams(names.map((name) => [name, HOSTILE])).toString();
      const addresses = PATTERNS.flatMap((pattern) => [
        `${addressOf(pattern)}?${query}`,
        ...(pattern.includes(':id') ? [pattern.replace(':id', encodeURIComponent(HOSTILE))] : []),
      ]);
      for (const address of addresses) {
        await open(console, address);
        await console.page.waitForSelector('h1');
        expect([address, await harmIn(console)]).toEqual([address, []]);
      }
    });
  },
  settings,
);
