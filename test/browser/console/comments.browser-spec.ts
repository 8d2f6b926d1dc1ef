import { until } from '../../faults/support/until';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { fillPast } from '../support/past';
import { inOneBrowser, type Stage } from '../support/stage';
import { visit } from '../support/visit';

/** Every other session has a comment. */
const SESSIONS = 240;

interface Written {
  flow_session_id: string;
  comment: string;
  customer_id: string;
}

inOneBrowser('The comments', (stage) => {
  it('come newest first, and more come on the way down', async () => {
    const { acme } = await commented(stage);
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    await console.untilText('What was said in session 0');
    const { comments } = await acme.call<{ comments: Written[] }>('GET', '/api/v1/public/comments?limit=500');
    expect(comments).toHaveLength(SESSIONS / 2);
    await until('all are shown', async () => {
      await console.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return (await shown(console)).length === comments.length;
    });
    expect(await shown(console)).toEqual(comments.map(({ comment }) => comment));
  });

  it('are filtered by flow, option and day, also after a reload', async () => {
    const { acme, slugs } = await commented(stage, ['Leaving Acme', 'Leaving Beta']);
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    await console.untilText(slugs[0].name);
    await console.choose('Flow', 'Leaving Beta');
    await console.untilNoText('Leaving Acme', '.comments');
    await chooseReason(console, 'Too expensive');
    await console.untilNoText('It lacks something I need', '.comments');
    await console.untilText('Too expensive', '.comments');
    expect(console.page.url()).toContain(`flow_id=${slugs[1].id}&reason=too_expensive`);

    await console.page.reload();
    await console.untilText('Too expensive', '.comments');
    await console.untilNoText('It lacks something I need', '.comments');
    await console.goTo('/comments?from=2020-01-01&to=2020-01-31');
    await console.untilText('No comment fits these filters');
    expect(await console.looks()).toEqual([]);
    await console.press('Show all comments', 'link');
    await console.untilText('Leaving Acme', '.comments');
  });

  it('are found by words, and those with a reason or of a plan from the numbers of a flow', async () => {
    const { acme, slugs } = await commented(stage);
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    await console.untilText('What was said in session 0');
    await console.fill('Search', '"session 42"');
    await console.page.keyboard.press('Enter');
    await until('the comment', async () => (await shown(console)).length === 1);
    expect(await shown(console)).toEqual(['What was said in session 42']);
    expect(await console.looks()).toEqual([]);

    await console.goTo('/');
    await console.press('Too expensive', 'link');
    await console.untilText('Too expensive', '.comments');
    await console.untilNoText('It lacks something I need', '.comments');
    await visit(
      stage.service,
      slugs[0],
      [
        { node_key: 'start', action: 'continue' },
        { node_key: 'reason', action: 'answer', option: 'too_expensive', comment: 'Pro is dear.' },
      ],
      { id: 'pro', attributes: { plan: 'pro' } },
    );
    await console.goTo(`/flows/${slugs[0].id}?by=plan`);
    await console.press('pro', 'link');
    await until('the comment', async () => (await shown(console)).join() === 'Pro is dear.');
    expect(await console.looks()).toEqual([]);
    await console.choose('Customers', 'All customers');
    await console.untilText('What was said in session 0');
  });

  it('include those of the last day', async () => {
    const { acme } = await commented(stage);
    const days = await acme.call<{ days: { date: string; sessions: number }[] }>('GET', '/api/v1/public/stats/daily');
    const { date, sessions } = days.days.at(-3)!;
    expect(sessions).toBeGreaterThan(0);
    const { comments } = await acme.call<{ comments: Written[] }>(
      'GET',
      `/api/v1/public/comments?from=${date}&to=${days.days.at(-2)!.date}`,
    );
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    for (const label of ['From', 'Through']) await pick(console, label, date);
    await until('the comments of that day', async () => (await shown(console)).length === comments.length);
    expect(await shown(console)).toEqual(comments.map(({ comment }) => comment));
    expect(console.page.url()).toContain(`from=${date}&to=${date}`);
  });

  it('are saved as a file, as they are filtered, with a key that may only read', async () => {
    const { acme, slugs } = await commented(stage, ['Leaving Acme', 'Leaving Beta']);
    const { key } = await acme.apiKey({ access: 'read' });
    const path = `/comments?flow_id=${slugs[1].id}&reason=other`;
    const console = await Console.signedIn(stage, path, { key });
    await console.untilText('Something else', '.comments');
    await keepFiles(console);
    await console.press('Download CSV');
    await until('the file', async () => (await files(console)).length === 1);
    const expected = await fetch(`${stage.service}/api/v1/public${path.replace('comments', 'comments.csv')}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await files(console)).toEqual([{ name: 'comments.csv', text: await expected.text() }]);
    expect(await console.looks()).toEqual([]);
  });

  it('lead to the session, and to the sessions of the customer', async () => {
    const { acme } = await commented(stage);
    const { comments } = await acme.call<{ comments: Written[] }>('GET', '/api/v1/public/comments?limit=1');
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    await console.untilText(comments[0].comment);
    expect(await console.looks()).toEqual([]);
    const links = await console.page.$$eval('.comment:first-child a', (all) =>
      all.map((one) => one.getAttribute('href')),
    );
    expect(links).toEqual([
      `#/sessions?search=${comments[0].customer_id}`,
      `#/sessions/${comments[0].flow_session_id}`,
    ]);
  });

  it('are text, however long, and whatever is in it', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const empty = await Console.signedIn(stage, '/comments', { key: acme.key });
    await empty.untilText('No comments yet');
    expect(await empty.looks()).toEqual([]);

    const { slug } = await acme.flow();
    const comment = `<img src=x onerror="document.title='owned'">\n${'M'.repeat(300)}\n=1+1`;
    await write(stage, slug, comment, 'c'.repeat(200));
    const console = await Console.signedIn(stage, '/comments', { key: acme.key });
    await console.untilText('=1+1');
    expect(await shown(console)).toEqual([comment]);
    expect(await console.looks()).toEqual([]);
  });
});

/** A workspace with flows of these names, and comments on them. */
async function commented(stage: Stage, names = ['Leaving Acme']) {
  const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
  const slugs: { name: string; id: string; slug: string }[] = [];
  for (const name of names) {
    const { id, slug } = await acme.flow();
    await acme.call('PUT', `/api/v1/public/flows/${id}`, { name });
    await fillPast(stage.databaseUrl, { slug, sessions: SESSIONS, days: 20 });
    slugs.push({ name, id, slug });
  }
  return { acme, slugs };
}

/** By its label: how often it was chosen stands behind it. */
async function chooseReason(console: Console, label: string): Promise<void> {
  const select = await console.field('Reason');
  let value: string | undefined;
  await until(`the reason "${label}"`, async () => {
    value = await select.evaluate(
      (select, label) =>
        [...(select as Element as HTMLSelectElement).options].find(({ text }) => text.startsWith(label))?.value,
      label,
    );
    return value !== undefined;
  });
  await select.select(value!);
}

function shown(console: Console): Promise<string[]> {
  return console.page.$$eval('.comment-text', (all) => all.map((one) => one.textContent ?? ''));
}

/** Chooses a day as the browser's calendar does. */
async function pick(console: Console, label: string, date: string): Promise<void> {
  await (
    await console.field(label)
  ).evaluate((field, date) => {
    field.value = date;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, date);
}

interface Kept {
  keptFiles: { name: string; text: string }[];
}

/** Keeps what links with `download` would save: browsers that are remote controlled ask where to. */
async function keepFiles({ page }: Console): Promise<void> {
  await page.evaluate(() => {
    const kept: Kept['keptFiles'] = ((globalThis as unknown as Kept).keptFiles = []);
    const blobs = new Map<string, Blob>();
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      const url = create(blob);
      blobs.set(url, blob);
      return url;
    };
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      const name = this.download;
      void blobs
        .get(this.href)!
        .text()
        .then((text) => kept.push({ name, text }));
    };
  });
}

function files({ page }: Console): Promise<Kept['keptFiles']> {
  return page.evaluate(() => (globalThis as unknown as Kept).keptFiles);
}

/** Answers the survey as a customer does, with a comment. */
async function write({ service }: Stage, flow_slug: string, comment: string, id: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${service}/api/v1/runtime/session/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { session_id: string };
  };
  const { session_id } = await post('init', { flow_slug, customer: { id } });
  await post(`${session_id}/step`, { node_key: 'start', action: 'continue' });
  await post(`${session_id}/step`, { node_key: 'reason', action: 'answer', option: 'other', comment });
}
