import type { FlowDefinition, FlowNode } from '../../../src/flows/graph/flow-definition';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';
import { visit } from '../support/visit';

inOneBrowser('The graph of a flow in the console', (stage) => {
  it('shows how many came to each node, and where they went on', async () => {
    const flow = await stage.acme.flow();
    const path = [
      { node_key: 'start', action: 'continue' },
      { node_key: 'reason', action: 'answer', option: 'too_expensive' },
    ];
    await visit(stage.service, flow, path);
    await visit(stage.service, flow, [...path, { node_key: 'offer_1', action: 'accept' }]);
    await visit(stage.service, flow, [{ node_key: 'start', action: 'cancel' }]);
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=content`);
    await console.untilText('3 came', '.graph');
    expect(await console.text('.graph')).toMatch(/2 came/);
    await console.page.click('.node-table summary');
    await console.untilText('Went on: 2; Canceled at once: 1', '.node-table');
    expect(await console.looks()).toEqual([]);
  });

  it('tells of a node that is chosen by keyboard, and forgets it again', async () => {
    const flow = await stage.acme.flow();
    await visit(stage.service, flow, [{ node_key: 'start', action: 'continue' }]);
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=content`);
    await console.untilText('1 came', '.graph');
    await console.page.focus('.graph button.is-survey');
    await console.page.keyboard.press('Enter');
    await console.untilText('Still here', '.node-panel');
    expect(await console.text('.node-panel')).toMatch(/^Survey reason\s+Why are you leaving\?[\s\S]*1 came/i);
    expect(await console.looks()).toEqual([]);
    await console.page.keyboard.press('Enter');
    await console.untilNoText('Still here', '.graph');
  });

  it('of 50 nodes is drawn as a whole, zooms, and can be walked by keyboard', async () => {
    const flow = await stage.acme.advancedFlow(large);
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=content`);
    await console.untilText('question-30', '.graph');
    expect(await console.page.$$eval('.graph-node', (nodes) => nodes.length)).toBe(50);
    const width = () => console.page.$eval('.graph-node', (node) => node.getBoundingClientRect().width);
    const before = await width();
    await console.press('Zoom out');
    expect(await width()).toBeLessThan(before);
    await console.page.focus('.graph-frame');
    await console.page.keyboard.press('+');
    await console.page.keyboard.press('+');
    expect(await width()).toBeGreaterThan(before);
    await console.page.keyboard.press('0');
    await console.page.focus('.graph-frame');
    await console.page.keyboard.press('Tab');
    await console.page.keyboard.press('Enter');
    await console.untilText('Before you go', '.node-panel');
    expect(await console.looks()).toEqual([]);
  });

  it('is that of the version that is chosen', async () => {
    const flow = await stage.acme.flow();
    await stage.acme.call('PUT', `/api/v1/public/flows/${flow.id}`, { offer_ids: [] });
    const console = await Console.signedIn(stage, `/flows/${flow.id}?tab=content`);
    await console.untilText('reason', '.graph');
    expect(await console.text('.graph')).not.toContain('Half price');
    await console.choose('Version', '1');
    await console.untilText('Half price', '.graph');
    expect(console.page.url()).toContain('version=1');
    expect(await console.looks()).toEqual([]);
  });
});

/** A start, a branch, a split, 46 surveys in three columns, and a confirm. */
function large(): FlowDefinition {
  const nodes: FlowNode[] = [
    { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'who' },
    {
      key: 'who',
      type: 'branch',
      config: { ways: [{ when: { all: [{ attribute: 'plan', is: '=', value: 'pro' }] }, next: 'test' }] },
      next: 'question-2',
    },
    {
      key: 'test',
      type: 'split',
      config: {
        ways: [
          { name: 'short', weight: 1, next: 'question-0' },
          { name: 'w'.repeat(64), weight: 3, next: 'question-1' },
        ],
      },
    },
  ];
  for (let index = 0; index < 46; index++) {
    const next = index + 3 < 46 ? `question-${index + 3}` : 'sure';
    nodes.push({
      key: `question-${index}`,
      type: 'survey',
      config: {
        title: index % 5 ? `Question ${index}` : 'w'.repeat(200),
        options: [
          { value: 'a', label: 'It is too expensive for what I use', next: index % 7 ? next : 'sure' },
          { value: 'b', label: 'Other' },
        ],
      },
      next,
    });
  }
  nodes.push({ key: 'sure', type: 'confirm', config: { title: 'Sure?' } });
  return { entry: 'start', nodes };
}
