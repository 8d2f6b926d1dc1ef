import type { ElementHandle, HTTPRequest } from 'puppeteer-core';
import { until } from '../../faults/support/until';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { fillPast } from '../support/past';
import { inOneBrowser } from '../support/stage';
import { visit } from '../support/visit';

const SESSIONS = 4000;
const LONG = 'N'.repeat(200);
const MINE = { product_name: 'Acme Pro', cancellation_url: 'https://acme.example/cancel' };

interface Stats {
  sessions: { total: number; saved: number; canceled: number };
}

inOneBrowser('The overview', (stage) => {
  it('of an empty workspace says what to do first, and ticks what is done', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const { key } = await acme.apiKey({ access: 'read' });
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.control('link', 'Create an offer');
    await console.control('link', 'Create a flow');
    expect(await console.looks()).toEqual([]);
    const { slug } = await acme.flow();

    await console.page.reload();
    await console.untilText(`data-retention-flow="${slug}"`);
    await console.untilText(`${stage.service}/widget/v1.js`);
    const done = await console.page.$$eval('.first-steps .done strong', (all) => all.map((one) => one.innerText));
    expect(done).toEqual(['Create an offer', 'Create a flow', 'Publish the flow']);
    expect(await console.looks()).toEqual([]);

    const reader = await Console.signedIn(stage, '/', { key });
    await reader.untilText('What to do first');
    expect(await reader.page.$$eval('.first-steps a', (all) => all.length)).toBe(0);
  });

  it('ticks nothing that the example of the service has, and gives nobody its code', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const example = await acme.flow();
    await acme.call('POST', '/api/v1/public/flows', { ...MINE, name: 'Mine' });
    const console = await Console.signedIn(stage, '/flows', { key: acme.key });
    await console.page.setRequestInterception(true);
    console.page.on('request', (request) => {
      const isOfExample = request.url().includes(`/flows/${example.id}/versions`);
      const versions = [{ version: 1, published_by: null, note: null, created_at: '2026-11-27T00:00:00Z' }];
      const body = JSON.stringify({ versions });
      void (isOfExample ? request.respond({ contentType: 'application/json', body }) : request.continue());
    });
    await console.goTo('/');
    await console.untilText('There is an example to try');
    const done = await console.page.$$eval('.first-steps .done strong', (all) => all.map((one) => one.innerText));
    expect(done).toEqual(['Create an offer', 'Create a flow']);
    expect(await console.text('.first-steps')).not.toContain(example.slug);
  });

  it('says after two seconds for how long it has been counting', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('What to do first');
    const held: HTTPRequest[] = [];
    await console.page.setRequestInterception(true);
    console.page.on('request', (request) => {
      if (request.url().includes('/public/stats')) held.push(request);
      else void request.continue();
    });
    await console.page.reload({ waitUntil: 'domcontentloaded' });
    await console.untilText('Loading … 2 s');
    expect(await console.looks()).toEqual([]);
    for (const request of held.splice(0)) await request.continue();
    await console.untilText('What to do first');
    expect(await console.text()).not.toContain('Loading');
  });

  it('warns of accepted offers that nobody is told of, until somebody is', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const flow = await acme.flow();
    await visit(stage.service, flow, [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'too_expensive' },
      { node_key: 'offer_1', action: 'accept' },
    ]);
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('Customers accepted 1 offer in these days, and nobody is told');
    expect(await console.looks()).toEqual([]);
    await acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { notification_email: 'growth@acme.example' });
    await console.page.reload();
    await console.untilText('This month');
    expect(await console.text()).not.toContain('nobody is told');
  });

  it('shows money by reason and offer, the customers of an audience alone, and month by month', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const flow = await acme.flow();
    const when = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
    const { id } = await acme.call<{ id: string }>('POST', '/api/v1/public/audiences', { name: 'Pros', when });
    const come = (customer: string, plan: string, last: object) =>
      visit(
        stage.service,
        flow,
        [
          { node_key: 'start', action: 'continue' },
          { node_key: 'reason', action: 'answer', option: 'too_expensive' },
          last as { node_key: string; action: string },
        ],
        { id: customer, attributes: { plan }, subscription: { amount: 4990, currency: 'EUR', interval: 'month' } },
      );
    await come('ada', 'pro', { node_key: 'offer_1', action: 'accept' });
    await come('bob', 'team', { node_key: 'offer_1', action: 'keep' });
    await come('cleo', 'team', { node_key: 'offer_1', action: 'cancel' });
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('Too expensive');
    expect(await console.text('main')).toMatch(
      /Too expensive\s+3\s+100%\s+66.7%\s+€149.70 at risk a month, €99.80 kept/,
    );
    expect(await console.text('main')).toMatch(/Half price\s+3\s+1\s+33.3%\s+€49.90 kept a month\s/);
    await console.untilText('it is not known of every offer that was accepted');
    expect(await console.looks()).toEqual([]);
    await console.press('Show the last six months');
    await console.untilText('so months do not add up');
    expect(await console.text('main')).toMatch(/\w+ 20\d\d\s+3\s+66.7%\s+33.3%\s+€99.80\s+–/);
    expect(await console.looks()).toEqual([]);
    await console.choose('Customers', 'Pros');
    await console.untilText('1 of 1 customer', '.tiles');
    expect(console.page.url()).toContain(`audience=${id}`);
    await console.page.reload();
    await console.untilText('1 of 1 customer', '.tiles');
    await console.goTo(`/flows/${flow.id}?audience=${id}`);
    await console.untilText('1 of 1 customer', '.tiles');
    expect(await console.looks()).toEqual([]);
  });

  it('shows the numbers of the days that are chosen, also after a reload', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { session_limit: 4100 });
    const { slug, id } = await acme.flow();
    await acme.call('PUT', `/api/v1/public/flows/${id}`, { estimated_monthly_value: 49 });
    await fillPast(stage.databaseUrl, { slug, sessions: SESSIONS, days: 360 });
    const console = await Console.signedIn(stage, '/?days=365', { key: acme.key });
    await console.untilText('All 365 days');
    const tiles = await console.text('.tiles');
    expect(tiles).toContain('1,000 of 4,000 customers');
    expect(tiles).toContain('25%');
    expect(tiles).toContain('49,000.00');
    await console.untilText('Too expensive');
    await console.untilText('Half price');
    expect(await console.looks()).toEqual([]);

    await console.press('7 days', 'link');
    await console.untilText('All 7 days');
    const { sessions } = await acme.call<Stats>('GET', `/api/v1/public/stats?from=${await dayAgo(console, 6)}`);
    await console.untilText(`${sessions.saved} of ${sessions.total} customers`, '.tiles');
    expect(sessions.total).toBeGreaterThan(50);
    expect(await console.looks()).toEqual([]);
    await console.page.reload();
    await console.untilText('All 7 days');

    await console.press('30 days', 'link');
    await console.untilText('All 30 days');
    expect(await console.looks()).toEqual([]);
    await console.page.click('.flow-numbers a');
    await until('the page of the flow', async () => console.page.url().endsWith(`#/flows/${id}`));
  });

  it('shows the numbers of any dates, and how they changed since just as many days before', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { session_limit: 4100 });
    const { slug, id } = await acme.flow();
    await fillPast(stage.databaseUrl, { slug, sessions: SESSIONS, days: 40 });
    const console = await Console.signedIn(stage, '/?days=7', { key: acme.key });
    await console.untilText('in the 7 days before', '.tiles');
    const total = async (from: number, to: number) => {
      const query = `from=${await dayAgo(console, from)}&to=${await dayAgo(console, to)}`;
      return (await acme.call<Stats>('GET', `/api/v1/public/stats?${query}`)).sessions.total;
    };
    const [now, before] = [await total(35, 25), await total(45, 35)];

    await console.press('Dates', 'link');
    await console.page.waitForSelector('.span-choice input');
    const [from, through] = await console.page.$$('.span-choice input');
    await setDay(from, await dayAgo(console, 35));
    await setDay(through, await dayAgo(console, 26));
    await console.untilText('All 10 days');
    expect(now).toBeGreaterThan(before);
    const more = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(now / before - 1);
    await console.untilText(
      `Customers\n${now.toLocaleString('en')}\n${more} more than in the 10 days before`,
      '.tiles',
    );
    expect(await console.looks()).toEqual([]);

    await console.page.reload();
    await console.untilText('All 10 days');
    await console.page.goto(console.page.url().replace('#/?', `#/flows/${id}?`));
    await console.untilText('in the 10 days before', '.tiles');
    expect(await console.looks()).toEqual([]);
  });

  it('tells the numbers of a day to the pointer, the keyboard and a screen reader', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const { slug } = await acme.flow();
    await fillPast(stage.databaseUrl, { slug, sessions: 300, days: 30 });
    const { days } = await acme.call<{ days: { date: string; sessions: number }[] }>(
      'GET',
      '/api/v1/public/stats/daily',
    );
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('All 30 days');
    // The notice comes late, and moves the chart down.
    await console.untilText('nobody is told');

    const plot = await console.page.$('.day-plot');
    await plot!.scrollIntoView();
    const { x, y, width } = (await plot!.boundingBox())!;
    await console.page.mouse.move(x + width - 3, y + 50);
    const [before, last] = days.slice(-2).map(({ date, sessions }) => ({ day: named(date), sessions }));
    await console.untilText(`${last.day}\n${last.sessions} session`, 'figcaption');
    await console.page.mouse.move(x, y - 200);
    await console.untilText('All 30 days');

    const range = await console.page.$('.day-plot input');
    await range!.focus();
    await console.page.keyboard.press('ArrowLeft');
    await console.untilText(before.day, 'figcaption');
    const said = await range!.evaluate((input) => input.getAttribute('aria-valuetext'));
    expect(said).toContain(`${before.day}: ${before.sessions} session`);

    await (await console.page.$('.day-chart summary'))!.click();
    await console.untilText(before.day, '.day-chart table');
    expect(await console.page.$$eval('.day-chart tbody tr', (rows) => rows.length)).toBe(30);
  });

  it('stands long names, many offers, a flow that nobody used lately, and a limit that is reached', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { session_limit: 0, name: LONG });
    const { slug, id } = await acme.flow({ name: LONG });
    await acme.call('PUT', `/api/v1/public/flows/${id}`, { name: LONG, estimated_monthly_value: 1_234_567.89 });
    await fillPast(stage.databaseUrl, { slug, sessions: 40, days: 30 });
    const console = await Console.signedIn(stage, '/', { key: acme.key });
    await console.untilText('The limit is reached.');
    await console.untilText(LONG, '.columns');
    expect(await console.looks()).toEqual([]);
  });
});

/** A day before today, as the page sees today. */
function dayAgo(console: Console, days: number): Promise<string> {
  return console.page.evaluate((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10), days);
}

function setDay(input: ElementHandle<HTMLInputElement>, day: string): Promise<void> {
  return input.evaluate((input, day) => {
    input.value = day;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, day);
}

function named(date: string): string {
  return new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(date),
  );
}
