import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { insertSessions } from '../../events/deliveries/many';
import { until } from '../../faults/support/until';
import { connected } from '../../support/database';
import { Acme, type Flow } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser, type Stage, TO_LOOPBACK } from '../support/stage';

const HOSTILE = '<img src=x onerror=alert(1)>';
/** More than two pages. */
const SESSIONS = 250;

const definition = (offer_id: string): FlowDefinition => ({
  entry: 'start',
  nodes: [
    { key: 'start', type: 'start', config: { title: 'Before you go', body: 'It takes a minute.' }, next: 'reason' },
    {
      key: 'reason',
      type: 'survey',
      config: {
        title: 'Why are you leaving?',
        comment: 'optional',
        options: [{ value: 'price', label: 'It costs too much' }],
      },
      next: 'test',
    },
    {
      key: 'test',
      type: 'split',
      config: {
        ways: [
          { name: 'blue', weight: 1, next: 'offer' },
          { name: 'red', weight: 1, next: 'offer' },
        ],
      },
    },
    { key: 'offer', type: 'offer', config: { offer_id }, next: 'confirm' },
    { key: 'confirm', type: 'confirm', config: { title: 'Cancel Acme Pro?' } },
  ],
});

/** Begins a session, and takes steps in it. Answers the id of its record. */
async function walk(
  stage: Stage,
  acme: Acme,
  { slug }: Flow,
  customer: { id: string; email?: string },
  ...steps: object[]
) {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${stage.service}/api/v1/runtime/session/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { session_id: string };
  };
  const { session_id } = await post('init', { flow_slug: slug, customer });
  for (const step of steps) await post(`${session_id}/step`, step);
  return (await acme.call<{ id: string }>('GET', `/api/v1/public/sessions/${session_id}`)).id;
}

const TO_OFFER = [
  { node_key: 'start', action: 'continue' },
  { node_key: 'reason', action: 'answer', option: 'price', comment: `Twice the price ${HOSTILE}` },
];
const ACCEPTED = [...TO_OFFER, { node_key: 'offer', action: 'accept' }];

const rows = (console: Console) => console.page.$$eval('.sessions tbody tr', (all) => all.map((one) => one.innerText));
const untilRows = (console: Console, count: number) =>
  until(`${count} rows`, async () => (await rows(console)).length === count);

inOneBrowser(
  'The sessions',
  (stage) => {
    const workspace = () => Acme.create(stage.service, 'https://acme.example/cancel');

    it('say that there are none yet, and that a session is not there', async () => {
      const { key } = await workspace();
      const console = await Console.signedIn(stage, '/sessions', { key });
      await console.untilText('No sessions yet');
      expect(await console.looks()).toEqual([]);
      await console.goTo('/sessions/01a200cb-3feb-7d19-9c4e-51f7a0c2b86e');
      await console.untilAt('Session not found');
      await console.goTo('/sessions/nonsense');
      await console.untilText('No session has this id');
      expect(await console.looks()).toEqual([]);
    });

    it('are found by flow, status, customer and day, also after a reload', async () => {
      const acme = await workspace();
      const flow = await acme.advancedFlow(definition);
      const other = await acme.flow();
      await acme.call('PUT', `/api/v1/public/flows/${other.id}`, { name: 'Another flow' });
      await walk(stage, acme, flow, { id: 'saved' }, ...ACCEPTED);
      const customer = { id: 'gone for good', email: 'gone@acme.example' };
      const gone = await walk(stage, acme, flow, customer, { action: 'cancel' });
      await walk(stage, acme, other, { id: 'L'.repeat(200) });
      const console = await Console.signedIn(stage, '/sessions', { key: acme.key });
      await untilRows(console, 3);
      expect(await console.looks()).toEqual([]);

      await console.choose('Status', 'saved');
      await untilRows(console, 1);
      expect((await rows(console))[0]).toMatch(/saved[^]*Half price[^]*It costs too much/);
      await console.page.reload();
      await untilRows(console, 1);
      await console.choose('Status', 'Any status');
      await console.choose('Flow', 'Another flow');
      await untilRows(console, 1);
      await console.choose('Flow', 'All flows');
      const search = async (text: string) => {
        await console.fill('Search', text);
        await console.page.keyboard.press('Enter');
      };
      for (const text of ['gone for good', ' GONE@acme.example ', gone]) {
        await search('nobody');
        await console.untilText('No session fits these filters');
        await search(text);
        await untilRows(console, 1);
        expect((await rows(console))[0]).toContain('gone for good');
      }

      await console.goTo('/sessions?from=2001-01-01&to=2001-01-02');
      await console.untilText('No session fits these filters');
      await console.press('Show all sessions', 'link');
      await untilRows(console, 3);
      const today = await console.page.evaluate(() => {
        const now = new Date();
        return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
      });
      await console.goTo(`/sessions?from=${today}&to=${today}`);
      await untilRows(console, 3);
    });

    it('are read on by scrolling, to the last', async () => {
      const acme = await workspace();
      const flow = await acme.flow();
      const last = await walk(stage, acme, flow, { id: 'the first of all' });
      const { id } = await acme.call<{ id: string }>('GET', '/api/v1/public/workspace');
      await connected(stage.databaseUrl, (client) => insertSessions(client, id, SESSIONS));
      const console = await Console.signedIn(stage, '/sessions', { key: acme.key });
      await until(
        'the last row',
        async () => {
          await console.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          return (await rows(console)).length === SESSIONS + 1;
        },
        30_000,
      );
      expect((await rows(console)).at(-1)).toContain('the first of all');
      expect(await console.page.$$eval('.sessions tbody a', (links) => links.at(-1)!.hash)).toBe(`#/sessions/${last}`);
    });

    it('are saved as CSV with the same filters', async () => {
      const acme = await workspace();
      const flow = await acme.advancedFlow(definition);
      await walk(stage, acme, flow, { id: 'in_the_file' }, ...ACCEPTED);
      await walk(stage, acme, flow, { id: 'not_in_the_file' });
      const folder = mkdtempSync(join(tmpdir(), 'console-'));
      try {
        const console = await Console.signedIn(stage, '/sessions?status=saved', { key: acme.key });
        const debug = await console.page.createCDPSession();
        await debug.send('Browser.setDownloadBehavior', {
          behavior: 'allow',
          downloadPath: folder,
          browserContextId: console.page.browserContext().id!,
        });
        await console.press('Download CSV');
        let csv = '';
        const read = () => (csv = readFileSync(join(folder, 'sessions.csv'), 'utf8'));
        await until('the file', () =>
          Promise.resolve()
            .then(read)
            .then(Boolean, () => false),
        );
        expect(csv).toContain('in_the_file');
        expect(csv).not.toContain('not_in_the_file');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('show the way of a customer, and every text as text', async () => {
      const acme = await workspace();
      // Nobody listens there, so deliveries are tried again.
      await acme.call('POST', '/api/v1/public/webhooks', { url: 'http://127.0.0.1:1/hook' });
      const flow = await acme.advancedFlow(definition);
      const customer = {
        id: HOSTILE,
        email: 'ada@example.com',
        attributes: { [HOSTILE]: HOSTILE, long: 'W'.repeat(200) },
      };
      const id = await walk(stage, acme, flow, customer, ...ACCEPTED);
      const console = await Console.signedIn(stage, '/sessions', { key: acme.key });
      await untilRows(console, 1);
      expect((await rows(console))[0]).toContain(HOSTILE);
      await console.goTo(`/sessions/${id}`);
      await console.untilText('Stayed');
      const steps = await console.page.$$eval('li.step', (all) => all.map((one) => one.innerText));
      expect(steps).toHaveLength(4);
      expect(steps[0]).toMatch(/Before you go[^]*It takes a minute\.[^]*Continued/);
      expect(steps[1]).toMatch(/Why are you leaving\?[^]*Answered: It costs too much/);
      expect(steps[1]).toContain(`Twice the price ${HOSTILE}`);
      const { steps: taken } = await acme.call<{ steps: { ways: object }[] }>('GET', `/api/v1/public/sessions/${id}`);
      expect(taken[1].ways).toEqual({ test: expect.stringMatching(/^(blue|red)$/) });
      expect(steps[1]).toContain(`The test “test” gave the customer “${Object.values(taken[1].ways).join()}”.`);
      expect(steps[2]).toMatch(/Stay for half the price[^]*Half price · 50% · 3 months[^]*Accepted the offer/);
      expect(await console.text('dl.facts')).toMatch(/ada@example\.com/);
      expect(await console.page.$$eval('main img', (all) => all.length)).toBe(0);
      const events = () =>
        acme.call<{ events: object[] }>('GET', `/api/v1/public/events?flow_session_id=${id}&type=session.saved`);
      await until('the event', async () => (await events()).events.length === 1);
      await console.page.click('summary');
      await console.untilText('session.saved');
      await console.untilText('pending');
      expect(await console.looks()).toEqual([]);
    });

    it('show where a customer stands', async () => {
      const acme = await workspace();
      const id = await walk(stage, acme, await acme.advancedFlow(definition), { id: 'standing' }, TO_OFFER[0]);
      const console = await Console.signedIn(stage, `/sessions/${id}`, { key: acme.key });
      await console.untilText('Now at');
      expect(await console.text('.step.end')).toContain('Why are you leaving?');
    });

    it('erase a customer whose id is typed, and nobody else', async () => {
      const acme = await workspace();
      const flow = await acme.advancedFlow(definition);
      const id = await walk(stage, acme, flow, { id: HOSTILE }, ...ACCEPTED);
      const console = await Console.signedIn(stage, `/sessions/${id}`, { key: acme.key });
      await console.press('Erase this customer');
      await console.fill('Type the customer id to confirm', 'somebody else');
      const erase = await console.control('button', 'Erase');
      expect(await erase.evaluate((button) => (button as HTMLButtonElement).disabled)).toBe(true);
      await console.page.keyboard.press('Enter');
      expect(await console.looks()).toEqual([]);
      expect(await acme.sessions(flow)).toMatchObject([{ customer_id: HOSTILE }]);

      await console.fill('Type the customer id to confirm', HOSTILE);
      await console.press('Erase');
      await console.untilText('No customer id');
      expect(await console.text('.timeline')).not.toContain('Twice the price');
      const [record] = await acme.sessions(flow);
      expect(record).toMatchObject({ customer_id: null, status: 'saved' });
      expect(JSON.stringify(record)).not.toContain('Twice the price');
    });

    it('offer no change to a key that may only read', async () => {
      const acme = await workspace();
      const id = await walk(stage, acme, await acme.advancedFlow(definition), { id: 'kept' }, ...ACCEPTED);
      const { key } = await acme.apiKey({ access: 'read' });
      const console = await Console.signedIn(stage, `/sessions/${id}`, { key });
      await console.untilText('Stayed');
      expect(await console.page.$$eval('main button', (all) => all.length)).toBe(0);
    });
  },
  TO_LOOPBACK,
);
