import type { Flow, Offer } from '@retention-flow/client';
import { Acme } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser } from '../support/stage';

inOneBrowser("Pages of the site's own, in the console", (stage) => {
  let acme: Acme;

  beforeEach(async () => {
    acme = await Acme.create(stage.service, 'https://acme.example/cancel');
  });

  const flow = (offer_id: string) => ({
    name: 'Leaving',
    product_name: 'Acme Pro',
    cancellation_url: 'https://acme.example/cancel',
    status: 'published',
    flow_mode: 'advanced',
    definition: {
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'call' },
        { key: 'call', type: 'offer', config: { offer_id }, next: 'sure' },
        { key: 'sure', type: 'confirm', config: { title: 'Cancel?' } },
      ],
    },
  });

  it('are put into a flow with their kind and data, and a branch asks for what they give', async () => {
    const offer = await acme.call<Offer>('POST', '/api/v1/public/offers', { name: 'A call', offer_type: 'custom' });
    const { id } = await acme.call<Flow>('POST', '/api/v1/public/flows', flow(offer.id));
    const console = await Console.signedIn(stage, `/flows/${id}/edit`, { key: acme.key });
    const plus = async (label: string) => (await console.control('button', label)).click();
    await plus('Insert after Before you go');
    const type = async (name: string, text: string) => {
      await (await console.control('textbox', name)).click({ count: 3 });
      await console.page.keyboard.type(text);
      await console.page.keyboard.press('Tab');
    };
    await console.press('Your own page');
    await console.fill('Title', 'How did we do?');
    await console.fill('Kind', 'stars');
    await console.fill('Data', '{"most": 5');
    await console.untilText('This is no JSON', '#node-data-about');
    await console.press('Save draft');
    await console.untilText('This is no JSON', '[role=alert]');
    await console.untilText('Not saved yet.');
    await console.fill('Data', '{"most": 5}');
    await console.untilNoText('This is no JSON', '#node-data-about');
    expect(await console.looks()).toEqual([]);
    await plus('Insert after How did we do?');
    await console.press('Branch');
    await console.page.select('[aria-label="About"]', 'result:page');
    await type('Place in the result', 'stars');
    await console.page.select('[aria-label="Comparison"]', '>=');
    await type('Value', '4');
    await console.untilText('How did we do?', '.graph-frame');
    expect(await console.looks()).toEqual([]);
    await console.press('Publish …');
    await console.untilText('How did we do?', 'dialog .differences');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    const { definition } = await acme.call<Flow>('GET', `/api/v1/public/flows/${id}`);
    const nodes = new Map(definition.nodes.map((node) => [node.type, node]));
    expect(nodes.get('custom')?.config).toEqual({ title: 'How did we do?', kind: 'stars', data: { most: 5 } });
    const when = { all: [{ result: 'page.stars', is: '>=', value: 4 }] };
    expect(nodes.get('branch')?.config).toMatchObject({ ways: [{ when }] });
  });

  it('are offers that are no save, too, whose sessions say that nothing is decided, and what a page gave', async () => {
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.press('Something else');
    await console.choose('Customers who accept', 'Not decided yet, such as a call');
    await console.press('For a dialog of your own', 'DisclosureTriangle');
    await console.fill('Kind', 'book_a_call');
    await console.fill('Data', '{"minutes": 30}');
    expect(await console.looks()).toEqual([]);
    await console.press('Create offer');
    await console.untilAt('Offers');
    const { offers } = await acme.call<{ offers: Offer[] }>('GET', '/api/v1/public/offers');
    const offer = await acme.call<Offer>('GET', `/api/v1/public/offers/${offers[0].id}`);
    expect(offer).toMatchObject({ outcome: 'open', kind: 'book_a_call', data: { minutes: 30 } });

    const made = flow(offer.id);
    const page = { key: 'nps', type: 'custom', config: { title: 'How did we do?', kind: 'stars' }, next: 'call' };
    made.definition.nodes[0].next = 'nps';
    (made.definition.nodes as object[]).push(page);
    const { slug } = await acme.call<Flow>('POST', '/api/v1/public/flows', made);
    const runtime = '/api/v1/runtime/session';
    const { session_id } = await acme.call<{ session_id: string }>('POST', `${runtime}/init`, { flow_slug: slug });
    const step = (body: object) => acme.call('POST', `${runtime}/${session_id}/step`, body);
    await step({ node_key: 'start', action: 'continue' });
    await step({ node_key: 'nps', action: 'answer', result: { stars: 4, why: '<b>fast</b>' } });
    await step({ node_key: 'call', action: 'accept' });
    const { sessions } = await acme.call<{ sessions: { id: string }[] }>('GET', '/api/v1/public/sessions');
    await console.goTo(`/sessions/${sessions[0].id}`);
    await console.untilText('Has not decided yet');
    await console.untilText('"why": "<b>fast</b>"');
    expect(await console.looks()).toEqual([]);
    await console.goTo('/sessions?status=contacted');
    await console.untilText('contacted', 'tbody');
  });
});
