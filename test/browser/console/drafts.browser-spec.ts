import type { Flow } from '@retention-flow/client';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

const FLOWS = '/api/v1/public/flows';

inOneBrowser('Drafts in the console', (stage) => {
  const read = (id: string): Promise<Flow> => stage.acme.call('GET', `${FLOWS}/${id}`);

  it('are saved beside what is live, and published with a note once their difference is seen', async () => {
    const { id } = await stage.acme.flow();
    const before = await read(id);
    const console = await Console.signedIn(stage, `/flows/${id}/edit`);
    await console.fill('Product', 'Acme Max');
    await console.fill('Note', 'For yearly plans');
    await console.press('Save draft');
    await console.untilText('Saved in the draft', '.toasts');
    await console.goTo(`/flows/${id}`);
    await console.untilText('Acme Max', 'main [aria-labelledby=draft]');
    expect(await read(id)).toMatchObject({ product_name: before.product_name, description: 'For yearly plans' });
    expect(await console.looks()).toEqual([]);

    await console.goTo(`/flows/${id}/edit`);
    await console.fill('Product', 'Acme Ultra');
    await console.press('Publish …');
    await console.untilText('Acme Ultra', 'dialog');
    await console.fill('What is new, and why', 'A new name.');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    await console.goTo(`/flows/${id}?tab=versions`);
    await console.untilText('A new name.', 'main [aria-label="Versions"]');
    expect(await read(id)).toMatchObject({ product_name: 'Acme Ultra', current_version: 2 });
  });

  it('are published with a warning of what laws forbid, and of drafts of offers that stay behind', async () => {
    const acme = await Acme.create(stage.service, 'https://acme.example/cancel', { jurisdictions: ['de'] });
    const { id } = await acme.flow();
    const { offer_ids } = await acme.call<Flow>('GET', `${FLOWS}/${id}`);
    await acme.call('PUT', `/api/v1/public/offers/${offer_ids[0]}/draft`, { heading: 'Another heading' });
    await acme.call('PUT', `${FLOWS}/${id}/draft`, { product_name: 'Acme Max' });
    const console = await Console.signedIn(stage, `/flows/${id}`, { key: acme.key });
    await console.press('Publish draft');
    await console.untilText('has a draft, which is not published with the flow', 'dialog');
    await console.untilText('Open the exit page', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
  });

  it('of a flow that is no longer live are published once, also if making it live fails at first', async () => {
    const { id } = await stage.acme.flow();
    await stage.acme.call('PUT', `${FLOWS}/${id}`, { status: 'draft' });
    await stage.acme.call('PUT', `${FLOWS}/${id}/draft`, { product_name: 'Acme Max' });
    const console = await Console.signedIn(stage, `/flows/${id}`);
    await console.page.setRequestInterception(true);
    let failures = 1;
    console.page.on('request', (request) => {
      const fails = request.method() === 'PUT' && request.url().endsWith(`${FLOWS}/${id}`) && failures-- > 0;
      const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail: 'Try again.' };
      const answer = { status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) };
      void (fails ? request.respond(answer) : request.continue());
    });
    await console.press('Publish draft');
    await console.press('Publish now');
    await console.untilText('Try again.', 'dialog');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    expect(await read(id)).toMatchObject({ product_name: 'Acme Max', status: 'published', current_version: 2 });
  });

  it('say what went live meanwhile, and can be deleted', async () => {
    const { id } = await stage.acme.flow();
    await stage.acme.call('PUT', `${FLOWS}/${id}/draft`, { product_name: 'Mine' });
    await stage.acme.call('PUT', `${FLOWS}/${id}`, { product_name: 'Theirs' });
    const console = await Console.signedIn(stage, `/flows/${id}`);
    await console.untilText('Version 2 went live after this draft was begun.');
    await console.press('Delete draft');
    await console.press('Delete now');
    await console.untilText('The draft is deleted.');
    await console.untilNoText('Publish draft');
    expect((await read(id)).product_name).toBe('Theirs');
  });
});
