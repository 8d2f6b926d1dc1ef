import type { ElementHandle } from 'puppeteer-core';
import type { Flow } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser, type Stage } from '../support/stage';

const FLOWS = '/api/v1/public/flows';
const OFFERS = ['First month free', 'Half the price', 'A pause'];
const HOSTILE = `<img src=x onerror="window.hacked=1">`;

interface SavedFlow extends Flow {
  name: string;
  status: string;
  description: string | null;
  metadata: Record<string, string>;
  estimated_monthly_value: number | null;
  flow_mode: string;
  current_version: number;
  offer_ids: string[];
  definition: { entry: string; nodes: { key: string; next?: string; config: { title?: string } }[] };
}

const CONFIRM = { key: 'confirm', type: 'confirm', config: { title: 'Cancel your subscription?' } } as const;

inOneBrowser('Editing flows in the console', (stage) => {
  let offers: string[];
  beforeAll(async () => {
    offers = [];
    for (const name of OFFERS) offers.push(await offer(stage, name));
  });

  it('creates a flow from a template, with its offers in the order they are dragged into', async () => {
    const console = await Console.signedIn(stage, '/flows/new');
    await fillNames(console, 'Dragged');
    await console.press('Create flow');
    await console.untilAt('Edit Dragged');
    await add(console, 'First month free');
    await drag(console, 'First month free', 'A pause');
    await console.untilText('First month free is now 1 of 3.');
    await console.press('Save draft');
    await untilSaved(console);
    const id = await console.page.evaluate(() => location.hash.split('/')[2]);
    expect([(await read(id)).status, (await readDraft(id)).offer_ids]).toEqual([
      'draft',
      [offers[0], offers[2], offers[1]],
    ]);
  });

  it('orders and removes offers by the keyboard alone, and says where they are', async () => {
    const { id } = await draft({ name: 'By keyboard', offer_ids: offers });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await (await console.control('button', 'Move A pause up')).focus();
    await console.page.keyboard.press('Enter');
    await console.untilText('A pause is now 2 of 3.');
    await console.page.keyboard.press(' ');
    await console.untilText('A pause is now 1 of 3.');
    expect(await console.tab.focused()).toBe('Move A pause up');
    await (await console.control('button', 'Remove First month free')).focus();
    await console.page.keyboard.press('Enter');
    await console.untilText('First month free is removed.');
    await console.tab.untilValue('the focus', () => console.tab.focused(), 'Remove Half the price');
    await (await console.control('button', 'Save draft')).focus();
    await console.page.keyboard.press('Enter');
    await untilSaved(console);
    expect((await readDraft(id)).offer_ids).toEqual([offers[2], offers[1]]);
  });

  it('sends only what was changed, and clears a field that is emptied', async () => {
    const { id } = await draft({ name: 'Fields', estimated_monthly_value: 5, metadata: { plan: 'pro', old: 'x' } });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.field('Monthly value');
    const sent = await sentBy(console);
    await console.fill('Monthly value', '');
    await console.fill('Note', 'For yearly plans');
    await console.press('Remove old');
    await console.press('Add metadata');
    await console.page.keyboard.type('team');
    await console.page.keyboard.press('Tab');
    await console.page.keyboard.type('growth');
    await console.press('Save draft');
    await untilSaved(console);
    const changes = {
      estimated_monthly_value: null,
      description: 'For yearly plans',
      metadata: { plan: 'pro', team: 'growth' },
    };
    expect(await sent()).toEqual([changes]);
    expect(await read(id)).toMatchObject({ ...changes, name: 'Fields', current_version: 1 });
  });

  it('says at the field what the service refuses, and keeps what was typed', async () => {
    const { id } = await draft({ name: 'Refused' });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.fill('Cancellation page', 'ftp://acme.example');
    await console.fill('Note', 'kept');
    await console.press('Save draft');
    await console.untilText('must be', '#cancellation_url-about');
    expect(await console.tab.focused()).toBe('Cancellation page');
    expect(await (await console.field('Note')).evaluate(({ value }) => value)).toBe('kept');
    expect(await console.looks()).toEqual([]);
    await console.fill('Cancellation page', 'https://acme.example/bye');
    await console.press('Save draft');
    await untilSaved(console);
  });

  it('names the line of a syntax error as one types, and saves nothing meanwhile', async () => {
    const { id } = await advanced('Syntax');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.press('JSON');
    await write(console, '{\n  "entry": "confirm"\n  "nodes": []\n}');
    await console.untilText('Line 3: a comma is missing before this');
    await console.press('Save draft');
    await console.untilText('The definition is not JSON. Nothing is saved.');
    expect(await console.looks()).toEqual([]);
    await expect(readDraft(id)).rejects.toThrow('404');
  });

  it('marks the line of each fault in the JSON, and leads there', async () => {
    const { id } = await advanced('Faults');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.press('JSON');
    const text = await definition(console);
    const lineOf = (words: string) => text.split('\n').findIndex((line) => line.includes(words)) + 1;
    await write(console, text.replace('"next": "reason"', '"next": "gone"'));
    const gone = lineOf('"next": "reason"');
    await console.untilText(`Line ${gone}: is not the key of a node`);
    expect(await console.looks()).toEqual([]);
    await (await area(console)).evaluate((area) => area.setSelectionRange(0, 0));
    await console.press(`Line ${gone}`);
    expect(await cursorLine(console)).toBe(gone);
    await write(console, text.replace('"value": "other"', '"value": "an other"'));
    await console.press('Save draft');
    await console.untilText(`Line ${lineOf('"other"')}: must be`);
    await write(console, text.replace('Before you go', 'One moment'));
    await console.press('Save draft');
    await untilSaved(console);
    expect((await readDraft(id)).definition.nodes[0].config.title).toBe('One moment');
  });

  it('says where JSON has another shape than the service takes, and goes on with the rest', async () => {
    const { id } = await advanced('Shapes');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.press('JSON');
    const text = await definition(console);
    for (const [wrong, said] of [
      ['"points": "", "title"', 'must be a list in brackets [ ]'],
      ['"image": "x", "title"', 'must be an object in braces { }'],
    ]) {
      await write(console, text.replace('"title"', wrong));
      await console.untilText(`: ${said}`, '.code-faults');
    }
    expect(await console.looks()).toEqual([]);
    await console.untilText('This JSON is no graph that can be edited step by step.');
  });

  it('shows in the graph what is written as JSON, as far as it is a graph', async () => {
    const { id } = await advanced('Drawn');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.press('JSON');
    const nodes = [
      { key: 'thanks', type: 'start', config: { title: 'Thanks for using us' }, next: 'confirm' },
      CONFIRM,
    ];
    await write(console, JSON.stringify({ entry: 'thanks', nodes }));
    await console.press('Format');
    expect((await definition(console)).split('\n').length).toBeGreaterThan(5);
    await console.press('Graph');
    await console.untilText('Thanks for using us', '.graph');
    await console.press('JSON');
    await write(console, '{ "nodes": 1 }');
    await console.untilText('This JSON is no graph that can be edited step by step.');
    expect(await console.looks()).toEqual([]);
    await console.press('Undo');
    await console.press('List');
    await console.untilText('Why are you leaving?', '.step-list');
  });

  it('makes a graph of a simple flow, and a list of offers of it again', async () => {
    const { id } = await draft({ name: 'Switched', offer_ids: offers.slice(0, 1) });
    const composed = (await read(id)).definition;
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.press('Edit as a graph');
    await console.press('Save draft');
    await untilSaved(console);
    expect(await readDraft(id)).toMatchObject({ flow_mode: 'advanced', definition: composed });
    await console.press('Back to a list of offers');
    await add(console, OFFERS[1]);
    await console.press('Save draft');
    await console.untilText('Saved in the draft.');
    expect(await readDraft(id)).toMatchObject({ flow_mode: 'simple', offer_ids: offers.slice(0, 2) });
  });

  it('shows both versions side by side if somebody else saved meanwhile, and leaves the choice', async () => {
    const { id } = await stage.acme.flow();
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.fill('Product', 'Acme Max');
    await stage.acme.call('PUT', `${FLOWS}/${id}/draft`, { product_name: 'Acme Mini', name: 'Theirs' });
    await console.press('Save draft');
    await console.untilText('Acme Mini', 'dialog');
    expect(await console.text('dialog')).toContain('Acme Max');
    expect(await console.looks()).toEqual([]);
    await console.press('Keep mine');
    await console.untilText('Saved in the draft.');
    expect(await readDraft(id)).toMatchObject({ product_name: 'Acme Max', name: 'Theirs' });

    await console.fill('Product', 'Acme Ultra');
    await stage.acme.call('PUT', `${FLOWS}/${id}/draft`, { product_name: 'Acme Nano' });
    await console.fill('Note', 'Mine');
    await console.press('Save draft');
    await console.press('Take theirs');
    const product = async () => (await console.field('Product')).evaluate(({ value }) => value);
    await console.tab.untilValue('their product', product, 'Acme Nano');
    await console.press('Undo');
    await console.tab.untilValue('the own product', product, 'Acme Ultra');
  });

  it('asks before changes are left that are not saved', async () => {
    const { id } = await draft({ name: 'Unsaved' });
    const console = await Console.signedIn(stage, '/offers');
    await console.goTo(`/flows/${id}/edit`);
    await console.fill('Note', 'Not saved');
    await console.press('Settings', 'link');
    await console.untilText('Leave without saving?', 'dialog');
    await console.press('Cancel');
    await console.page.evaluate(() => history.back());
    await console.untilText('Leave without saving?', 'dialog');
    await console.press('Cancel');
    expect(await (await console.field('Note')).evaluate(({ value }) => value)).toBe('Not saved');
    const asks = await console.page.evaluate(
      () => !dispatchEvent(new Event('beforeunload', { cancelable: true })) && location.hash,
    );
    expect(asks).toBe(`#/flows/${id}/edit`);
    await console.press('Sign out');
    await console.untilText('Leave without saving?', 'dialog');
    await console.press('Cancel');
    await console.press('Settings', 'link');
    await console.press('Leave without saving');
    await console.untilAt('Settings');
    expect((await read(id)).description).toBeNull();

    await console.goTo(`/flows/${id}/edit`);
    await console.fill('Note', 'Saved');
    await console.press('Settings', 'link');
    await console.press('Save and leave');
    await console.untilAt('Settings');
    expect((await read(id)).description).toBe('Saved');
  });

  it('opens a select at a letter, and chooses nothing unseen', async () => {
    const when = { all: [{ attribute: 'plan', is: '=', value: 'pro' }] };
    const flow = await stage.acme.advancedFlow(
      (offer_id) =>
        ({
          entry: 'start',
          nodes: [
            { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'who' },
            { key: 'who', type: 'branch', config: { ways: [{ when, next: 'offer' }] }, next: 'confirm' },
            { key: 'offer', type: 'offer', config: { offer_id }, next: 'confirm' },
            CONFIRM,
          ],
        }) as never,
    );
    const console = await Console.signedIn(stage, `/flows/${flow.id}/edit`);
    await (await console.page.waitForSelector('.graph button.is-branch'))!.click();
    await console.page.waitForSelector('.condition');
    await console.page.focus('.condition select[aria-label=Comparison]');
    await console.page.keyboard.press('i');
    const value = () => console.page.$eval('.condition select[aria-label=Comparison]', (select) => select.value);
    expect(await value()).toBe('=');
    await console.untilText('Nothing is changed.', '.save-bar');
  });

  it('shows the text of customers and operators as text', async () => {
    const hostile = await offer(stage, HOSTILE);
    const { id } = await draft({
      name: HOSTILE,
      product_name: HOSTILE,
      description: HOSTILE,
      metadata: { a: HOSTILE },
      offer_ids: [hostile],
    });
    await stage.acme.call('DELETE', `/api/v1/public/offers/${hostile}`);
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.untilAt(`Edit ${HOSTILE}`);
    await console.untilText('Archived: customers do not see it.');
    await console.press('Edit as a graph');
    await console.press('JSON');
    await write(console, `{ "entry": "a", "nodes": [{ "key": "${HOSTILE.replaceAll('"', "'")}", "type": "start" }] }`);
    await console.press('Save draft');
    await console.untilText('Line 1:');
    expect(await console.page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await console.looks()).toEqual([]);
  });

  it('offers a read key no change', async () => {
    const { id } = await draft({ name: 'Only to read', offer_ids: offers });
    const { key } = await stage.acme.apiKey({ access: 'read' });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`, { key });
    await console.untilAt('Only to read');
    await console.untilText('Before you go', '.graph');
    const controls = 'main :is(input, select, textarea, button[type=submit])';
    expect(await console.page.$(controls)).toBeNull();
    expect(await console.looks()).toEqual([]);
    await console.goTo('/flows/new');
    await console.untilText('This API key may only read.');
    expect(await console.page.$(controls)).toBeNull();
  });

  it('looks well, with nothing and with much', async () => {
    const console = await Console.signedIn(stage, '/flows/new');
    await console.field('Name');
    expect(await console.looks()).toEqual([]);
    const long = await offer(stage, 'W'.repeat(200));
    const { id } = await draft({
      name: 'W'.repeat(200),
      product_name: 'W'.repeat(200),
      metadata: { stripe_product: 'W'.repeat(500), plan: 'pro' },
      estimated_monthly_value: 1_234_567.89,
      offer_ids: [...offers, long],
    });
    await console.goTo(`/flows/${id}/edit`);
    await console.control('button', 'Remove plan');
    expect(await console.looks()).toEqual([]);
  });

  async function draft(fields: object): Promise<Flow> {
    const body = { product_name: 'Acme Pro', cancellation_url: 'https://acme.example/cancel', ...fields };
    return stage.acme.call('POST', FLOWS, body);
  }

  function advanced(name: string): Promise<Flow> {
    return draft({ name, flow_mode: 'advanced' });
  }

  function read(id: string): Promise<SavedFlow> {
    return stage.acme.call('GET', `${FLOWS}/${id}`);
  }

  function readDraft(id: string): Promise<SavedFlow> {
    return stage.acme.call('GET', `${FLOWS}/${id}/draft`);
  }
});

async function offer(stage: Stage, name: string): Promise<string> {
  const body = { name, offer_type: 'custom', heading: 'Stay', body: '', cta_accept: 'Yes', cta_decline: 'No' };
  const { id } = await stage.acme.call<{ id: string }>('POST', '/api/v1/public/offers', body);
  return id;
}

async function untilSaved(console: Console): Promise<void> {
  await console.untilText('Saved in the draft', '.toasts');
}

async function fillNames(console: Console, name: string): Promise<void> {
  await console.fill('Name', name);
  await console.fill('Product', 'Acme Pro');
  await console.fill('Cancellation page', 'https://acme.example/cancel');
}

async function add(console: Console, name: string): Promise<void> {
  await console.choose('Offer to add', name);
  await console.press('Add offer');
  await console.control('button', `Remove ${name}`);
}

/** What the page sends from now on to change things. */
async function sentBy(console: Console): Promise<() => Promise<unknown>> {
  await console.page.evaluate(() => {
    const fetch = window.fetch.bind(window);
    const sent: unknown[] = [];
    Object.assign(window, { sent });
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'PUT') sent.push(await request.clone().json());
      return fetch(request);
    };
  });
  return () => console.page.evaluate(() => (window as unknown as { sent: unknown }).sent);
}

/** Drags an offer above another one. */
async function drag(console: Console, name: string, above: string): Promise<void> {
  const button = await console.control('button', `Remove ${name}`);
  const [from, to] = await button.evaluate(
    (button, names) => {
      button.scrollIntoView({ block: 'center' });
      return names.map((name) => {
        const grip = document.querySelector(`[aria-label="Remove ${name}"]`)!.closest('li')!.querySelector('.grip')!;
        const { x, y, width, height } = grip.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      });
    },
    [name, above],
  );
  await console.page.mouse.move(from.x, from.y);
  await console.page.mouse.down();
  await console.page.mouse.move(to.x, to.y - 12, { steps: 6 });
  await console.page.mouse.up();
}

async function area(console: Console): Promise<ElementHandle<HTMLTextAreaElement>> {
  return (await console.field('Definition')) as ElementHandle as ElementHandle<HTMLTextAreaElement>;
}

async function definition(console: Console): Promise<string> {
  return (await area(console)).evaluate(({ value }) => value);
}

/** Puts a text in place of the definition, as pasting does. */
async function write(console: Console, text: string): Promise<void> {
  await (
    await area(console)
  ).evaluate((area, text) => {
    area.focus();
    area.select();
    document.execCommand('insertText', false, text);
  }, text);
}

async function cursorLine(console: Console): Promise<number> {
  return (await area(console)).evaluate(
    ({ value, selectionStart }) => value.slice(0, selectionStart).split('\n').length,
  );
}
