import type { FlowDefinition } from '../../../src/flows/graph/flow-definition';
import { Console } from '../support/console';
import { Acme } from '../support/acme';
import { inEachBrowser } from '../support/stage';
import { visit } from '../support/visit';

const FLOWS = '/api/v1/public/flows';
const AUDIENCES = '/api/v1/public/audiences';

inEachBrowser('Audiences', (stage) => {
  it('are made of conditions, go into a branch, and are taken anew when the flow is published again', async () => {
    const console = await Console.signedIn(stage, '/audiences');
    await console.untilText('No audiences yet');
    await console.press('New audience');
    await console.fill('Name', 'Loyal customers');
    await console.page.select('dialog [aria-label="About"]', 'fact:months');
    await console.press('Add condition');
    await console.page.select('[aria-label="Condition 2 of the audience"] [aria-label="About"]', 'fact:discounted');
    await console.page.select('[aria-label="Condition 2 of the audience"] [aria-label="Value"]', 'false');
    expect(await console.looks()).toEqual([]);
    await console.press('Save');
    await console.untilText('months since it began >= 6 and has a discount now is false', 'table');
    expect(await console.looks()).toEqual([]);
    const [{ id, when }] = (await stage.acme.call<{ audiences: { id: string; when: object }[] }>('GET', AUDIENCES))
      .audiences;
    const conditions = [
      { fact: 'months', is: '>=', value: 6 },
      { fact: 'discounted', is: '=', value: false },
    ];
    expect(when).toEqual({ all: conditions });

    const flow = await stage.acme.call<{ id: string }>('POST', FLOWS, {
      name: 'By audience',
      product_name: 'Acme Pro',
      cancellation_url: 'https://acme.example/cancel',
      flow_mode: 'advanced',
      status: 'published',
    });
    await console.goTo(`/flows/${flow.id}/edit`);
    await (await console.page.waitForSelector('[aria-label^="Insert after Why are you leaving?"]'))!.click();
    await console.press('Branch');
    await console.page.waitForSelector(`option[value="audience:${id}"]`);
    await console.page.select('[aria-label="About"]', `audience:${id}`);
    await console.untilText('If in “Loyal customers”', '.graph');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish …');
    await console.untilText('in “Loyal customers”', 'dialog');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    const { definition } = await stage.acme.call<{ definition: FlowDefinition }>('GET', `${FLOWS}/${flow.id}`);
    expect(JSON.stringify(definition)).toContain(`{"audience":"${id}"}`);

    await console.goTo('/audiences');
    await console.press('Delete Loyal customers');
    await console.press('Delete now');
    await console.untilText('A branch goes by it in “By audience”', 'dialog');
    await console.press('Cancel');
    await console.press('Change Loyal customers');
    await console.fill('Name', 'Loyal for long');
    await console.press('Remove condition 2 of the audience');
    await console.press('Save');
    await console.untilText('Flows take it when they are published again.', '.toasts');
    await console.goTo(`/flows/${flow.id}`);
    await console.untilText('An audience has changed since this version was published.');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish with the new audiences');
    await console.untilText('version 3');
    expect(await console.text()).not.toContain('An audience has changed');
  });

  it('begin as conditions for the customers of a page, and lead through the numbers, the sessions and the comments', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel');
    const { id, slug } = await acme.flow();
    const come = (customer: string, plan: string) =>
      visit(
        stage.service,
        { id, slug },
        [
          { node_key: 'start', action: 'continue' },
          { node_key: 'reason', action: 'answer', option: 'other', comment: `${customer} leaves.` },
          { node_key: 'confirm', action: 'cancel' },
        ],
        { id: customer, attributes: { plan } },
      );
    await come('ada', 'pro');
    await come('bob', 'team');
    const console = await Console.signedIn(stage, '/sessions', { key: acme.key });
    await console.untilText('bob', 'table');
    await console.press('By conditions …');
    await console.page.select('dialog [aria-label="About"]', '');
    await console.page.select('dialog [aria-label="Comparison"]', '=');
    const attribute = (await console.page.$('dialog [aria-label="Attribute"]'))!;
    await attribute.evaluate((field) => (field as HTMLInputElement).select());
    await attribute.type('plan');
    const value = (await console.page.$('dialog [aria-label="Value"]'))!;
    await value.evaluate((field) => (field as HTMLInputElement).select());
    await value.type('pro');
    expect(await console.looks()).toEqual([]);
    await console.press('Show');
    await console.untilNoText('bob', 'table');
    await console.untilText('ada', 'table');
    expect(await console.looks()).toEqual([]);
    await console.press('Change the conditions …');
    await console.fill('Save as an audience', 'Pros');
    await console.press('Show');
    await console.untilText('Pros is saved.', '.toasts');
    await console.page.waitForSelector('select[name="segment"] option[value=""]');
    await console.goTo('/comments');
    await console.untilText('bob leaves.');
    await console.choose('Customers', 'Pros');
    await console.untilNoText('bob leaves.');
    await console.untilText('ada leaves.');
    expect(await console.looks()).toEqual([]);
    await console.goTo(`/flows/${id}`);
    await console.choose('Customers', 'Pros');
    await console.untilText('1 of 1 customer', '.tiles');
  });
});
