import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';
import { visit } from '../support/visit';

const FLOWS = '/api/v1/public/flows';
const OFFERS = [
  { name: 'Half price', offer_type: 'discount_percentage' },
  { name: 'A pause', offer_type: 'pause_subscription' },
  { name: 'A call with us', offer_type: 'custom' },
];

interface SavedFlow {
  status: string;
  current_version: number;
  definition: FlowDefinition;
}

inOneBrowser('The editor of flows', (stage) => {
  beforeAll(async () => {
    for (const offer of OFFERS) {
      const texts = { heading: 'Stay', body: '', cta_accept: 'Yes', cta_decline: 'No' };
      await stage.acme.call('POST', '/api/v1/public/offers', { ...offer, ...texts });
    }
  });

  it('builds a flow by mouse: reasons, a branch, an experiment; publishes it, changes it and takes that back', async () => {
    const console = await Console.signedIn(stage, '/flows/new');
    await console.press('An offer for each reason', 'radio');
    await console.fill('Name', 'By mouse');
    await console.fill('Product', 'Acme Pro');
    await console.fill('Cancellation page', 'https://acme.example/cancel');
    await console.press('Create flow');
    await console.untilAt('Edit By mouse');
    const id = await idOf(console);

    await choose(console, 'reason');
    await console.fill('Title', 'What is wrong?');
    await console.press('Remove answer 6');
    await console.press('Remove answer 5');
    await plus(console, 'Insert after A call with us');
    await console.press('Branch');
    await console.untilText('Path 1', '.node-panel');
    const panel = await console.page.$eval('.node-panel', (panel) => [panel.scrollWidth, panel.clientWidth]);
    expect(panel[0]).toBe(panel[1]);
    await plus(console, 'Insert after Half price');
    await console.press('Split');
    await fillIn(console, 'Arm 1', 'second_discount');
    await console.page.select('[id^="then-experiment-config-ways-0"]', 'new offer');
    await console.untilText('Offer', '#step-title');
    await console.untilText('Stay', '.node-panel .offer-picture');
    await choose(console, 'experiment');
    await console.press('b is the control: no offer', 'checkbox');
    expect(await console.looks()).toEqual([]);
    await console.press('Preview');
    await console.untilText('Preview of the draft', 'dialog');
    await console.page.waitForSelector('iframe[title="What the customer sees"]');
    await console.press('Close');
    await console.press('Publish …');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');

    const { status, definition } = await read(id);
    const nodes = Object.fromEntries(definition.nodes.map((node) => [node.key, node]));
    expect([status, definition.nodes.map(({ type }) => type).toSorted()]).toEqual([
      'published',
      ['branch', 'confirm', 'offer', 'offer', 'offer', 'offer', 'split', 'start', 'survey'],
    ]);
    expect(nodes.experiment.config).toEqual({
      ways: [
        { name: 'second_discount', weight: 50, next: 'offer' },
        { name: 'b', weight: 50, next: 'confirm', control: true },
      ],
    });

    await console.press('Edit', 'link');
    await choose(console, 'reason');
    await fillIn(console, 'Answer 1', 'The price');
    await console.press('Publish …');
    await console.untilText('The price', 'dialog .differences');
    await console.press('Publish now');
    await console.untilText('Version 3 is live.');
    await console.press('Versions', 'link');
    await console.press('Restore version 2');
    await console.untilText('The price', 'dialog .differences');
    expect(await console.looks()).toEqual([]);
    await console.press('Restore now');
    await console.untilText('Restored as version 4.');
    await console.untilText('Version 2 again', 'main [aria-label="Versions"]');
    expect((await read(id)).definition).toEqual(definition);
  });

  it('builds the same by keyboard in the list, and says what is done', async () => {
    const { id } = await advanced('By keyboard');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    const { keyboard } = console.page;
    const enter = async (role: string, name: string) => {
      await (await console.control(role, name)).focus();
      await keyboard.press('Enter');
    };
    await enter('button', 'List');
    await enter('button', 'Insert after Before you go, Then');
    await console.tab.untilValue('the focus', () => console.tab.focused(), 'Insert a step');
    await enter('button', 'Branch');
    await console.untilText('Branch is added.', '.graph-beside [role=status]');
    await console.tab.untilValue('the focus', () => console.tab.focused(), 'Branch');
    await keyboard.press('Escape');
    expect(await console.tab.focused()).toContain('If plan is pro');
    await keyboard.press('Delete');
    await console.untilText('The step is removed.', '.graph-beside [role=status]');
    await keyboard.down('Control');
    await keyboard.press('z');
    await keyboard.up('Control');
    await console.untilText('If plan is pro', '.step-list');
    expect(await console.looks()).toEqual([]);
    await enter('button', 'Save draft');
    await console.untilText('Saved in the draft', '.toasts');
    const { definition } = await stage.acme.call<SavedFlow>('GET', `${FLOWS}/${id}/draft`);
    expect(definition.nodes.map(({ type }) => type)).toEqual(['start', 'branch', 'survey', 'confirm']);
  });

  it('changes the words of a simple flow, and keeps them when it becomes a graph and simple again', async () => {
    const { id } = await stage.acme.call<{ id: string }>('POST', FLOWS, { ...NAMES, name: 'Simple' });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.fill('Title', 'What did we do wrong?');
    await fillIn(console, 'New answer', 'The colours!');
    await console.press('Add answer');
    await console.press('Edit as a graph');
    await console.untilText('What did we do wrong?', '.graph');
    await console.press('Back to a list of offers');
    await console.press('Save draft');
    await console.untilText('Saved in the draft', '.toasts');
    const { survey } = await stage.acme.call<{ survey: { title: string; options: unknown[] } }>(
      'GET',
      `${FLOWS}/${id}/draft`,
    );
    expect([survey.title, survey.options.at(-1)]).toEqual([
      'What did we do wrong?',
      { value: 'the_colours', label: 'The colours!' },
    ]);
    expect(await console.looks()).toEqual([]);
  });

  it('undoes everything back to the start, and redoes it', async () => {
    const { id } = await advanced('Undone');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await choose(console, 'start');
    await console.fill('Title', 'One moment');
    await plus(console, 'Insert after Why are you leaving?');
    await console.press('Offer');
    await console.press('Copy');
    await plus(console, 'Insert after One moment');
    await console.press('Paste');
    await console.untilText('offer_2', '.graph');
    const press = async (name: string, times: number) => {
      for (let time = 0; time < times; time++) await console.press(name);
    };
    await press('Undo', 1);
    await console.untilNoText('offer_2', '.graph');
    await press('Undo', 2);
    await console.untilText('Nothing is changed.');
    await press('Redo', 3);
    await console.untilText('offer_2', '.graph');
    await console.untilText('Not saved yet.');
  });

  it('keeps a graph with faults, names them in words at their step, and publishes it when they are mended', async () => {
    const { id } = await advanced('Faulty');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await choose(console, 'reason');
    await console.fill('Title', ' ');
    await console.untilText('Title is empty.', '.node-panel');
    await console.press('Save draft');
    await console.untilText('1 fault to mend before it can be published.');
    expect(await console.page.$eval('.graph-node.faulty', (node) => node.textContent)).toContain('reason');
    expect(await (await console.control('button', 'Publish …')).evaluate((one) => one.matches(':disabled'))).toBe(true);
    expect(await console.looks()).toEqual([]);
    await console.press('Show reason');
    await console.fill('Title', 'Why?');
    await console.press('Publish …');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
  });

  it('leads customers by the conditions that are written as rows', async () => {
    const { id, slug } = await advanced('Conditions');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await plus(console, 'Insert after Why are you leaving?');
    await console.press('Branch');
    await fillIn(console, 'Attribute', 'seats', 'combobox');
    await console.page.select('[aria-label="Comparison"]', '>=');
    await fillIn(console, 'Value', '5', 'combobox');
    await console.page.select('[id^="then-branch-config-ways-0"]', 'new offer');
    await console.untilText('Offer', '#step-title');
    await console.press('Publish …');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    const steps = [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'other' },
    ];
    await visit(stage.service, { id, slug }, steps, { id: 'small', attributes: { seats: 4 } });
    await visit(stage.service, { id, slug }, steps, { id: 'large', attributes: { seats: 5 } });
    const sessions = await stage.acme.sessions({ id, slug });
    expect(sessions.map(({ customer_id, current_node }) => [customer_id, current_node])).toEqual([
      ['large', 'offer'],
      ['small', 'confirm'],
    ]);
  });

  it('leads customers by what the service knows of them, and previews it', async () => {
    const { id, slug } = await advanced('Facts');
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await plus(console, 'Insert after Why are you leaving?');
    await console.press('Branch');
    await console.page.select('[aria-label="About"]', 'fact:sessions');
    await console.untilText('If times that they came, this one included >= 2', '.graph');
    await console.press('Add condition');
    await console.page.select('[aria-label="Condition 2 of path 1"] [aria-label="About"]', 'fact:status');
    await console.page.select('[aria-label="Condition 2 of path 1"] [aria-label="Value"]', 'active');
    await console.page.select('[aria-label="Conditions of path 1"]', 'any');
    await console.page.select('[id^="then-branch-config-ways-0"]', 'new offer');
    await console.untilText('Offer', '#step-title');
    expect(await console.looks()).toEqual([]);
    await console.press('Preview');
    await console.fill('times that they came, this one included', '2');
    await console.choose('status of the subscription', 'paused');
    expect(await console.looks()).toEqual([]);
    await console.press('Walk as this customer');
    await console.page.waitForSelector('iframe[title="What the customer sees"]');
    await console.press('Close');
    await console.press('Publish …');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    const steps = [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'other' },
    ];
    await visit(stage.service, { id, slug }, steps, { id: 'ada' });
    await visit(stage.service, { id, slug }, steps, { id: 'ada' });
    const sessions = await stage.acme.sessions({ id, slug });
    expect(sessions.map(({ current_node }) => current_node)).toEqual(['offer', 'confirm']);
  });

  it('edits 50 steps without waiting', async () => {
    const nodes = Array.from({ length: 49 }, (_, index) => ({
      key: `page_${index}`,
      type: 'survey',
      config: { title: `Question ${index}`, options: [{ value: 'a', label: 'A' }] },
      next: index < 48 ? `page_${index + 1}` : 'sure',
    }));
    const confirm = { key: 'sure', type: 'confirm', config: { title: 'Sure?' } };
    const { id } = await stage.acme.call<{ id: string }>('POST', FLOWS, {
      ...NAMES,
      name: 'Large',
      flow_mode: 'advanced',
      definition: { entry: 'page_0', nodes: [...nodes, confirm] },
    });
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await choose(console, 'page_40');
    await console.fill('Title', 'Changed in the middle');
    await console.untilText('Changed in the middle', '.graph');
    await plus(console, 'Insert after Question 1');
    await console.untilText('A flow has at most 50 steps.');
    await console.press('List');
    expect(await console.looks()).toEqual([]);
  });

  const NAMES = { product_name: 'Acme Pro', cancellation_url: 'https://acme.example/cancel' };

  function advanced(name: string): Promise<{ id: string; slug: string }> {
    return stage.acme.call('POST', FLOWS, { ...NAMES, name, flow_mode: 'advanced' });
  }

  function read(id: string): Promise<SavedFlow> {
    return stage.acme.call('GET', `${FLOWS}/${id}`);
  }
});

function idOf(console: Console): Promise<string> {
  return console.page.evaluate(() => location.hash.split('/')[2]);
}

/** Chooses a step in the graph by its key. */
async function choose(console: Console, key: string): Promise<void> {
  const node = await console.page.waitForSelector(`.graph-node ::-p-text(${key})`);
  await node!.click();
  await console.untilText('Name in the numbers', '.node-panel');
}

/** Presses the first + whose name begins so. */
async function plus(console: Console, name: string): Promise<void> {
  const button = await console.page.waitForSelector(`[aria-label^="${name}"]`);
  await button!.click();
  await console.untilText('Insert a step', '.node-panel');
}

/** Writes into a field that takes what is written when it is left. */
async function fillIn(console: Console, name: string, text: string, role = 'textbox'): Promise<void> {
  const field = (await console.control(role, name)) as Awaited<ReturnType<Console['field']>>;
  await field.evaluate((field) => field.select());
  await field.focus();
  await console.page.keyboard.type(text);
  await console.page.keyboard.press('Tab');
}
