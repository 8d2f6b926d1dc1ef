import { until } from '../../faults/support/until';
import { connected } from '../../support/database';
import { Acme, type Flow } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser, type Stage } from '../support/stage';
import { visit, visitBy } from '../support/visit';

const FLOWS = '/api/v1/public/flows';

interface Kept {
  id: string;
  name: string;
  status: string;
  flow_mode: string;
  definition: object;
}

const create = (acme: Acme, name: string, more: object = {}) =>
  acme.call<Kept>('POST', FLOWS, {
    name,
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/cancel?a=1&b=2',
    ...more,
  });
const read = (acme: Acme, { id }: { id: string }) => acme.call<Kept>('GET', `${FLOWS}/${id}`);
const elsewhere = (stage: Stage) => Acme.create(stage.service, 'https://acme.example/cancel');

inOneBrowser('Flows in the console', (stage) => {
  it('say what to do first when there is none', async () => {
    const acme = await elsewhere(stage);
    const console = await Console.signedIn(stage, '/flows', { key: acme.key });
    await console.untilText('There is no flow yet');
    await console.control('link', 'Create the first flow');
    expect(await console.looks()).toEqual([]);
  });

  it('are listed with their numbers, by status', async () => {
    const acme = await elsewhere(stage);
    await create(acme, 'Still a draft');
    await create(acme, 'x'.repeat(200));
    const flow = await acme.flow();
    for (const action of ['keep', 'cancel', 'cancel', 'cancel']) {
      await visit(stage.service, flow, [{ node_key: 'start', action }]);
    }
    const console = await Console.signedIn(stage, '/flows', { key: acme.key });
    await console.untilText('25%', 'main');
    expect(await console.text('main')).toMatch(/Leaving Acme\s+Acme Pro\s+published\s+1\s+4\s+25%/);
    expect(await console.looks()).toEqual([]);
    await console.choose('Status', 'draft');
    await console.untilNoText('Leaving Acme', 'main');
    await console.untilText('Still a draft');
    expect(console.page.url()).toContain('?status=draft');
    await console.choose('Status', 'archived');
    await console.untilText('No flow is archived');
  });

  it('are read on as one scrolls, to the oldest', async () => {
    const acme = await elsewhere(stage);
    for (let index = 0; index <= 100; index++) await create(acme, `Flow ${index}`);
    const console = await Console.signedIn(stage, '/flows', { key: acme.key });
    await console.untilText('Flow 100');
    await console.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await console.control('link', 'Flow 0');
  });

  it('are published and archived after a question', async () => {
    const flow = await create(stage.acme, 'To publish');
    const console = await Console.signedIn(stage, `/flows/${flow.id}`);
    await console.press('Publish');
    await console.untilText('Customers see it at once');
    expect((await read(stage.acme, flow)).status).toBe('draft');
    await console.press('Publish now');
    await console.untilText('The flow is published.');
    expect((await read(stage.acme, flow)).status).toBe('published');
    await console.untilText('Put it on your page', 'main');
    await console.control('link', 'See it in the demo');
    expect(await console.looks()).toEqual([]);
    await console.press('Archive');
    await console.press('Archive now');
    await console.untilText('The flow is archived.');
    expect((await read(stage.acme, flow)).status).toBe('archived');
    await console.control('button', 'Publish');
  });

  it('are duplicated as drafts, with the same graph, whose splits draw anew', async () => {
    const flow = await read(
      stage.acme,
      await stage.acme.advancedFlow((offer_id) => ({
        entry: 'hold',
        nodes: [
          { key: 'hold', type: 'start', config: { title: 'Hold on' }, next: 'offer' },
          { key: 'offer', type: 'offer', config: { offer_id }, next: 'sure' },
          { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
        ],
      })),
    );
    const split = await splitFlow(stage.acme);
    const console = await Console.signedIn(stage, `/flows/${flow.id}`);
    await console.press('Duplicate');
    await console.untilAt(`Copy of ${flow.name}`);
    const id = /flows\/([^?]+)/.exec(console.page.url())![1];
    expect(id).not.toBe(flow.id);
    expect(await read(stage.acme, { id })).toMatchObject({ status: 'draft', definition: flow.definition });

    await console.page.goto(console.page.url().replace(id, split.id));
    await console.press('Duplicate');
    await console.untilText('A copy was created.');
    await until('the copy', async () => !console.page.url().includes(split.id) && !console.page.url().includes(id));
    const copy = await read(stage.acme, { id: /flows\/([^?]+)/.exec(console.page.url())![1] });
    expect(JSON.stringify(copy.definition)).toMatch(/"salt":"[0-9a-f]{8}"/);
  });

  it('show who made a version live and why, and are restored to it', async () => {
    const flow = await create(stage.acme, 'Back and forth');
    const path = `/api/v1/public/flows/${flow.id}`;
    await stage.acme.call('PUT', `${path}/draft`, { name: 'Forth' });
    await stage.acme.call('POST', `${path}/draft/publish`, { note: 'A better name.' });
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=versions`);
    await console.untilText('A better name.', 'main [aria-label="Versions"]');
    expect(await console.looks()).toEqual([]);
    await console.press('Restore version 1');
    await console.press('Restore now');
    await console.untilText('Restored as version 3.');
    await console.untilAt('Back and forth');
    expect(await read(stage.acme, flow)).toMatchObject({ name: 'Back and forth', current_version: 3 });
  });

  it('are duplicated as the version that is shown', async () => {
    const flow = await create(stage.acme, 'First name');
    await stage.acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { name: 'Second name' });
    const console = await Console.signedIn(stage, `/flows/${flow.id}?version=1`);
    await console.untilAt('Second name');
    await console.press('Duplicate');
    await console.untilAt('Copy of First name');
  });

  it('are not archived by somebody who has not seen how they are now', async () => {
    const flow = await create(stage.acme, 'Seen');
    const console = await Console.signedIn(stage, `/flows/${flow.id}`);
    await console.untilAt('Seen');
    await stage.acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { name: 'Unseen' });
    await console.press('Archive');
    await console.press('Archive now');
    await console.untilText('Somebody else changed this after you opened it.');
    expect(await read(stage.acme, flow)).toMatchObject({ name: 'Unseen', status: 'draft' });
  });

  it('show the numbers of their sessions, with a split, by an attribute too', async () => {
    const flow = await splitFlow(stage.acme);
    for (let index = 0; index < 12; index++) {
      const customer = { id: `c${index}`, attributes: { plan: index < 8 ? 'pro' : 'basic' } };
      const steps = [
        { node_key: 'start', action: 'continue' },
        { node_key: 'offer', action: index % 3 === 0 ? 'accept' : 'cancel' },
      ];
      await visit(stage.service, flow, steps, customer);
    }
    const console = await Console.signedIn(stage, `/flows/${flow.id}`);
    await console.untilText('No comparison before 100 customers in each arm.');
    expect(await console.text('.tiles')).toMatch(/Customers\s+12\s[\s\S]*Saved\s+33.3%/);
    await console.fill('Attribute', 'plan');
    await console.press('Show');
    await console.untilText('basic');
    expect(await console.text('main')).toMatch(/pro\s+8\s+3\s+37.5%\s+basic\s+4\s+1\s+25%/);
    expect(console.page.url()).toContain('by=plan');
    expect(await console.looks()).toEqual([]);
  });

  it('end a test that is decided, as the overview says: everybody gets the arm that saves more', async () => {
    const acme = await elsewhere(stage);
    const flow = await splitFlow(acme, 'sure');
    await acme.call('PUT', `${FLOWS}/${flow.id}`, { estimated_monthly_value: 20 });
    const ends = { start: 'continue', offer: 'accept', confirm: 'cancel' };
    await Promise.all(
      Array.from({ length: 260 }, (_, index) => visitBy(stage.service, flow, ends, { id: `c${index}` })),
    );
    await daysPass(stage, flow, 12);
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('A test is decided: in Leaving Acme');
    expect(await console.looks()).toEqual([]);

    await console.goTo(`/flows/${flow.id}`);
    await console.untilText('“first” saves more customers than “second”.');
    await console.untilText('plan on the low end');
    expect(await console.text('.split')).toMatch(
      /first[\s\S]*[\d.]+ to 20\.00 estimated\s+20\.00 now[\s\S]*second[\s\S]*Too few yet[\s\S]*0\.00 now/,
    );
    expect(await console.looks()).toEqual([]);
    await console.press('End the test test');
    await console.untilText('100%', 'dialog .differences');
    expect(await console.looks()).toEqual([]);
    await console.press('End the test');
    await console.untilText('Everybody gets “first”: version 2 is live.');
    const { definition } = await read(acme, flow);
    expect(JSON.stringify(definition)).toContain('{"name":"second","next":"sure","weight":0}');
    await console.untilText('ended', '.split');
    await visitBy(stage.service, flow, ends, { id: 'late' });
    await console.page.reload();
    await console.untilText('All customers get “first”: the test ended.');
    expect(await console.text('.split')).not.toContain('End the test');
  });

  it('offer no change to a key that may only read', async () => {
    const { key } = await stage.acme.apiKey({ access: 'read' });
    const flow = await stage.acme.flow();
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=install`, { key });
    await console.untilText(flow.slug);
    const isOffered = async () => /New flow|Edit|Duplicate|Archive|Publish\b|Restore/.test(await console.text('main'));
    expect(await isOffered()).toBe(false);
    await console.press('Preview');
    await console.untilText(`${stage.service}/preview#`, 'dialog');
    await console.press('Close');
    await console.goTo('/flows');
    await console.untilText('Leaving Acme', 'main table');
    expect(await isOffered()).toBe(false);
  });

  it('say what laws may object to, also in the button of a page', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    await acme.call('PUT', '/api/v1/public/workspace', { jurisdictions: ['de'] });
    const flow = await acme.flow();
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=content`, { key: acme.key });
    await console.untilText('has to lead straight to the exit page', '.findings');
    expect(await console.looks()).toEqual([]);
    await console.press('Your page', 'link');
    await console.choose('The cancel button of your page leads', 'To a page of our own');
    await console.fill('Address of that page', 'nowhere');
    await console.press('Save');
    await console.untilText('must be widget, exit, or the URL of a page', '#button_leads_to-about');
    await console.fill('Address of that page', `https://service.example/exit/${flow.slug}?lang=de`);
    expect(await console.looks()).toEqual([]);
    await console.press('Save');
    await console.untilText('Saved.');
    await console.goTo(`/flows/${flow.id}?tab=content`);
    await console.untilText('By law');
    await console.untilNoText('has to lead straight to the exit page', '.findings');
  });

  it('give the code for a page', async () => {
    const flow = await create(stage.acme, 'For a page');
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=install`);
    await console.untilText('data-retention-flow="for-a-page-');
    await console.untilText('href="https://acme.example/cancel?a=1&amp;b=2"');
  });
});

/** The flow was published, and its customers came, so many days earlier. */
const daysPass = ({ databaseUrl }: Stage, { id }: Flow, days: number) =>
  connected(databaseUrl, async (client) => {
    const earlier = (column: string) => `${column} = ${column} - interval '${days} days'`;
    await client.query(
      `UPDATE session_steps SET ${earlier('created_at')} WHERE flow_session_id IN (SELECT id FROM flow_sessions WHERE flow_id = $1)`,
      [id],
    );
    await client.query(`UPDATE flow_sessions SET ${earlier('ended_at')} WHERE flow_id = $1`, [id]);
    await client.query(`UPDATE flow_versions SET ${earlier('created_at')} WHERE flow_id = $1`, [id]);
    await client.query(`UPDATE flows SET ${earlier('first_published_at')} WHERE id = $1`, [id]);
  });

/** Unless said otherwise, both ways lead to the same: no difference can be shown. */
function splitFlow(acme: Acme, second = 'offer'): Promise<Flow> {
  return acme.advancedFlow((offer_id) => ({
    entry: 'start',
    nodes: [
      { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'test' },
      {
        key: 'test',
        type: 'split',
        config: {
          ways: [
            { name: 'first', weight: 1, next: 'offer' },
            { name: 'second', weight: 1, next: second },
          ],
        },
      },
      { key: 'offer', type: 'offer', config: { offer_id }, next: 'sure' },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  }));
}
