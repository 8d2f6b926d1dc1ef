import type { Offer } from '@retention-flow/client';
import { until } from '../../faults/support/until';
import { Acme, OFFER } from '../support/acme';
import { Console } from '../support/console';
import { inOneBrowser, type Stage } from '../support/stage';

const OFFERS = '/api/v1/public/offers';
const LONG = 'x'.repeat(200);
const HOSTILE = '<img src=x onerror="document.title=1"><b>Stay</b> {name}';

/** A company of its own, so that its list has its own offers alone. */
const newAcme = (stage: Stage) => Acme.create(stage.service, 'https://acme.example/cancel');

const offerOf = (acme: Acme, id: string) => acme.call<Offer>('GET', `${OFFERS}/${id}`);

async function create(acme: Acme, fields: object = {}): Promise<string> {
  return (await acme.call<{ id: string }>('POST', OFFERS, { ...OFFER, ...fields })).id;
}

async function offersOf(acme: Acme, status = 'active'): Promise<Offer[]> {
  const { offers } = await acme.call<{ offers: { id: string }[] }>('GET', `${OFFERS}?status=${status}`);
  return Promise.all(offers.map(({ id }) => offerOf(acme, id)));
}

inOneBrowser('Offers in the console', (stage) => {
  it('begin with an example, and are created as they are written', async () => {
    const acme = await newAcme(stage);
    const console = await Console.signedIn(stage, '/offers', { key: acme.key });
    await console.untilText('No offers yet');
    expect(await console.looks()).toEqual([]);
    await console.press('New offer', 'link');
    await console.untilAt('New offer');
    await console.press('Pause');
    await console.fill('Heading', 'Take a month off');
    await console.press('Longer trial');
    await console.press('Add metadata');
    await console.page.keyboard.type('days');
    await console.page.keyboard.press('Tab');
    await console.page.keyboard.type('14');
    await console.untilText('Take a month off', '.offer-picture');
    await console.untilText('Extend my trial', '.offer-picture');
    expect(await console.looks()).toEqual([]);
    await console.press('Create offer');
    await console.untilAt('Offers');
    await console.untilText('Take a month off', '.table');
    expect(await offersOf(acme)).toMatchObject([
      {
        name: '14 days more of trial',
        offer_type: 'trial_extension',
        offer_value: '14 days',
        heading: 'Take a month off',
        cta_accept: 'Extend my trial',
        metadata: { days: '14' },
      },
    ]);
  });

  it('of a pause may leave the months to the customer', async () => {
    const acme = await newAcme(stage);
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.press('Pause');
    await console.choose('Applied by', 'Billing pauses the subscription');
    await console.fill('Months', '1, 2, 3');
    await console.untilText('3 months', '.offer-option:last-child');
    await console.untilText('Pause for 1, 2, or 3 months.', '.offer-picture');
    expect(await console.looks()).toEqual([]);
    await console.press('Create offer');
    await console.untilAt('Offers');
    const [offer] = await offersOf(acme);
    expect(offer).toMatchObject({ name: 'Pause for 1, 2, or 3 months', terms: { months: [1, 2, 3] } });
    await console.press(offer.name, 'link');
    await console.untilText('3 months', '.offer-option:last-child');
    expect(await console.looks()).toEqual([]);
  });

  it('begin with an example whose texts follow the value and the duration', async () => {
    const acme = await newAcme(stage);
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.press('Discount in percent');
    await console.choose('Applied by', 'A person, by hand');
    await console.fill('Value', '40 %');
    await console.fill('Duration', 'one year');
    await console.untilText('Take 40 % off', '.offer-picture');
    await console.press('Create offer');
    await console.untilAt('Offers');
    expect(await offersOf(acme)).toMatchObject([
      {
        name: '40 % off for one year',
        offer_value: '40 %',
        heading: 'Stay for {{value}} less',
        body: 'Keep everything you have, for {{value}} less, for {{duration}}.',
        cta_accept: 'Take {{value}} off',
      },
    ]);
  });

  it('say at the field what is wrong with it, and keep what was typed', async () => {
    const acme = await newAcme(stage);
    const console = await Console.signedIn(stage, '/offers/new', { key: acme.key });
    await console.fill('Name', ' ');
    await console.fill('Body', 'Stay with us');
    await console.press('Add metadata');
    await console.page.keyboard.type('two words');
    await console.press('Create offer');
    await console.untilText('letters, digits', '#metadata');
    expect(await console.text('#name-about')).toContain('must');
    expect(await console.tab.focused()).toBe('Name');
    expect(await (await console.field('Body')).evaluate((field) => field.value)).toBe('Stay with us');
    expect(await console.looks()).toEqual([]);
    expect(await offersOf(acme)).toEqual([]);
  });

  it('lose no metadata to a name that is there twice', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme, { metadata: { coupon: 'a' } });
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.press('Add metadata');
    await console.page.keyboard.type('coupon');
    await console.press('Save draft');
    await console.untilText('The metadata has the name "coupon" twice.');
    expect((await offerOf(acme, id)).metadata).toEqual({ coupon: 'a' });
  });

  it('are changed in a draft, which shows the difference and where it is used before it is published, and can be taken back', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme, {
      offer_value: '30%',
      cta_accept: 'Take 30 % off',
      terms: { percent_off: 30, duration: 'once' },
    });
    await acme.call('POST', '/api/v1/public/flows', {
      name: 'Leaving Acme',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/bye',
      offer_ids: [id],
      status: 'published',
    });
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.untilAt(OFFER.name);
    await console.fill('Percent off', '35');
    await console.press('Save draft');
    await console.untilText('Customers see nothing of it until you publish it.');
    await console.untilText('35 % off the next payment', '.differences');
    expect((await offerOf(acme, id)).terms).toMatchObject({ percent_off: 30 });
    expect(await console.looks()).toEqual([]);

    await console.press('Publish …');
    await console.untilText('Button to accept says 30, but the terms say 35 %.', 'dialog');
    await console.untilText('Leaving Acme live', 'dialog');
    await console.untilText('Used by 1 flow, where it changes at once.', 'dialog');
    expect(await console.looks()).toEqual([]);
    await console.fill('What is new, and why', 'Too few stayed.');
    await console.press('Publish now');
    await console.untilText('Version 2 is live.');
    await console.untilText('Too few stayed.', '.table');
    expect(await offerOf(acme, id)).toMatchObject({ terms: { percent_off: 35 }, current_version: 2 });

    await console.press('Restore version 1');
    await console.untilText('30 % off the next payment', 'dialog');
    await console.press('Restore now');
    await console.untilText('Restored as version 3.');
    expect(await offerOf(acme, id)).toMatchObject({ terms: { percent_off: 30 }, current_version: 3 });
    const percentOff = async () => (await console.field('Percent off')).evaluate((field) => field.value);
    await console.tab.untilValue('the form', percentOff, '30');
  });

  it('lose a draft that is deleted, and what was typed with it', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme);
    await acme.call('PUT', `${OFFERS}/${id}/draft`, { heading: 'Later' });
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.untilText('Later', '.offer-picture');
    await console.press('Delete draft');
    await console.press('Delete now');
    await console.untilText('The draft is deleted.');
    await console.untilText(OFFER.heading, '.offer-picture');
    expect(await console.page.$$('#draft')).toEqual([]);
  });

  it('are changed in what is changed alone', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme, { metadata: { coupon: 'a', days: '3' } });
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.untilAt(OFFER.name);
    await console.fill('Name', 'Another name');
    await console.choose('Type', 'Something else');
    await console.press('Remove coupon');
    await publish(console);
    await console.untilAt('Another name');
    expect(await offerOf(acme, id)).toMatchObject({
      ...OFFER,
      name: 'Another name',
      offer_type: 'custom',
      metadata: { days: '3' },
    });
    await console.press('Publish …');
    await console.untilText('Nothing has changed.');
    await console.fill('Body', 'Second');
    await publish(console);
    await until('the second change', async () => (await offerOf(acme, id)).body === 'Second');
    await console.untilText('Version 3', '.table');
    await acme.call('PUT', `${OFFERS}/${id}`, { body: 'Changed elsewhere' });
    await console.fill('Name', 'A third name');
    await console.press('Save draft');
    await console.untilText('Somebody else changed this after you opened it.');
    expect(await offerOf(acme, id)).toMatchObject({ name: 'Another name', body: 'Changed elsewhere' });
  });

  it('are for a time, and for some customers, as somebody chooses without a program', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme);
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await console.untilAt(OFFER.name);
    const type = (name: string, time: string) =>
      console.page.$eval(
        `[name=${name}]`,
        (input, value) => {
          (input as HTMLInputElement).value = value;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        },
        time,
      );
    await type('from', '2027-11-30T00:00');
    await type('until', '2027-11-26T00:00');
    await console.press('Only for some customers', 'checkbox');
    const subjects = await console.page.$$eval('[aria-label="About"] option', (all) => all.map(({ value }) => value));
    expect(subjects).toContain('fact:months');
    expect(subjects).not.toContain('fact:saves');
    await console.page.select('[aria-label="About"]', 'fact:months');
    expect(await console.looks()).toEqual([]);
    await console.press('Save draft');
    await console.untilText('Shown until must be later than from');
    await type('from', '2027-11-26T00:00');
    await type('until', '2027-11-30T00:00');
    await publish(console);
    await until('the change', async () => (await offerOf(acme, id)).when !== null);
    const utc = (local: string) => console.page.evaluate((time) => new Date(time).toISOString(), local);
    expect(await offerOf(acme, id)).toMatchObject({
      available: { from: await utc('2027-11-26T00:00'), until: await utc('2027-11-30T00:00') },
      when: { all: [{ fact: 'months', is: '>=', value: 6 }] },
    });
    await console.page.reload();
    await console.untilAt(OFFER.name);
    await console.press('Only for some customers', 'checkbox');
    await type('from', '');
    await type('until', '');
    await publish(console);
    await until('the change back', async () => (await offerOf(acme, id)).when === null);
    expect(await offerOf(acme, id)).toMatchObject({ ...OFFER, available: null, when: null });
  });

  it('are archived after a question, and are found among the archived ones', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme);
    const console = await Console.signedIn(stage, `/offers/${id}`, { key: acme.key });
    await acme.call('POST', '/api/v1/public/flows', {
      name: 'Leaving Acme',
      product_name: 'Acme',
      cancellation_url: 'https://acme.example/bye',
      offer_ids: [id],
    });
    await console.press('Archive');
    await console.untilText('you can bring it back');
    await console.untilText('Used by 1 flow, which will pass over it', 'dialog');
    await console.untilText('Leaving Acme not published', 'dialog');
    await console.press('Cancel');
    expect((await offerOf(acme, id)).status).toBe('active');
    await console.press('Archive');
    await console.untilText('Archive this offer?');
    await (await console.page.waitForSelector('dialog .danger'))!.click();
    await console.untilText('This offer is archived');
    await console.press('Bring back');
    await console.untilText('Flows that name it show it again.');
    expect((await offerOf(acme, id)).status).toBe('active');
    await console.press('Archive');
    await (await console.page.waitForSelector('dialog .danger'))!.click();
    await console.untilText('This offer is archived');
    expect((await offerOf(acme, id)).status).toBe('archived');
    expect(await console.looks()).toEqual([]);
    await console.goTo('/offers');
    await console.untilText('No offers yet');
    await console.choose('Status', 'Archived');
    await console.press(OFFER.name, 'link');
    await console.untilAt(OFFER.name);
    await console.page.goBack();
    await console.untilText(OFFER.name, '.table');
    expect(console.page.url()).toContain('#/offers?status=archived');
  });

  it('are listed with how often they were shown and accepted', async () => {
    const acme = await newAcme(stage);
    const flow = await acme.advancedFlow(
      (offer_id) => ({
        entry: 'start',
        nodes: [
          { key: 'start', type: 'start', config: { title: 'Hello' }, next: 'offer' },
          { key: 'offer', type: 'offer', config: { offer_id }, next: 'confirm' },
          { key: 'confirm', type: 'confirm', config: { title: 'Sure?', body: '' } },
        ],
      }),
      { name: 'Seen' },
    );
    await create(acme, { name: LONG, heading: LONG, offer_value: LONG, offer_duration: LONG });
    await create(acme, { name: 'A discount', heading: 'Stay for {{value}} less', offer_value: '30%' });
    for (const action of ['accept', 'decline']) await walk(stage, flow.slug, action);
    const console = await Console.signedIn(stage, '/offers', { key: acme.key });
    const numbers = () =>
      console.page.$$eval('td.number', (cells) => cells.map((cell) => cell.innerText.trim()).join(', '));
    await console.tab.untilValue('the numbers', numbers, '0, 0, 0, 0, 2, 1 50%');
    await console.untilText('Stay for 30% less', '.table');
    expect(await console.looks()).toEqual([]);
  });

  it('with hostile texts stay texts, in the list and in the picture', async () => {
    const acme = await newAcme(stage);
    const fields = { name: HOSTILE, heading: HOSTILE, body: HOSTILE, cta_accept: HOSTILE, offer_value: HOSTILE };
    const id = await create(acme, { ...fields, metadata: { hostile: HOSTILE } });
    const console = await Console.signedIn(stage, '/offers', { key: acme.key });
    await console.press(HOSTILE, 'link');
    await console.untilAt(HOSTILE);
    await console.untilText(HOSTILE, '.offer-body');
    expect(await console.page.$$('main img, main b')).toEqual([]);
    await acme.call('PUT', `${OFFERS}/${id}`, { name: LONG, heading: LONG, cta_accept: LONG, body: LONG.repeat(25) });
    await console.page.reload();
    await console.untilAt(LONG);
    expect(await console.looks()).toEqual([]);
  });

  it('are shown to a key that may read, without a change to make', async () => {
    const acme = await newAcme(stage);
    const id = await create(acme, { metadata: { coupon: 'stay-30' } });
    const { key } = await acme.apiKey({ access: 'read' });
    const console = await Console.signedIn(stage, `/offers/${id}`, { key });
    await console.untilText('stay-30');
    expect(await console.page.$$('main button, main input')).toEqual([]);
    expect(await console.looks()).toEqual([]);
    await console.goTo('/offers');
    await console.untilText(OFFER.name, '.table');
    expect(await console.text()).not.toContain('New offer');
  });
});

/** Publishes what was typed. */
async function publish(console: Console): Promise<void> {
  await console.press('Publish …');
  await console.press('Publish now');
}

/** A customer who comes to the offer, and accepts or declines it. */
async function walk({ service }: Stage, slug: string, action: string): Promise<void> {
  const post = async (path: string, body: object): Promise<{ session_id: string }> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(service + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { session_id: string };
  };
  const { session_id } = await post('/api/v1/runtime/session/init', { flow_slug: slug });
  await post(`/api/v1/runtime/session/${session_id}/step`, { node_key: 'start', action: 'continue' });
  await post(`/api/v1/runtime/session/${session_id}/step`, { node_key: 'offer', action });
}
