import type { FlowNode } from '../../src/flows/graph/flow-definition';
import type { Flow } from './support/acme';
import { CANCEL_PAGE } from './support/host';
import { inEachBrowser } from './support/stage';
import { Tab } from './support/tab';
import { WORDS } from './support/words';

inEachBrowser('A customer who clicks "cancel"', (stage) => {
  let flow: Flow;

  beforeEach(async () => {
    flow = await stage.acme.flow();
  });

  const open = () => stage.open({ flow: flow.slug });
  const sessions = () => stage.acme.sessions(flow);

  /** From the first node to the offer. */
  const walkToOffer = async (tab: Tab, title = 'Stay for half the price') => {
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.untilTitle(title);
  };
  /** A flow whose offer is a pause of as many months as the customer chooses. */
  const pauseOf = (...months: number[]) =>
    stage.acme.flow({
      offer_type: 'pause_subscription',
      heading: 'Take a break',
      cta_accept: 'Pause',
      terms: { months },
    });

  it('passes a branch and a split without seeing them', async () => {
    const confirm = (key: string, title: string): FlowNode => ({ key, type: 'confirm', config: { title } });
    const { slug } = await stage.acme.advancedFlow((offer_id) => ({
      entry: 'start',
      nodes: [
        { key: 'start', type: 'start', config: { title: 'Before you go' }, next: 'who' },
        {
          key: 'who',
          type: 'branch',
          config: { ways: [{ when: { all: [{ attribute: 'plan', is: 'exists' }] }, next: 'sure' }] },
          next: 'test',
        },
        {
          key: 'test',
          type: 'split',
          config: {
            ways: [
              { name: 'offer', weight: 1, next: 'offer' },
              { name: 'none', weight: 0, next: 'sure' },
            ],
          },
        },
        { key: 'offer', type: 'offer', config: { offer_id }, next: 'sure' },
        confirm('sure', 'Sure?'),
      ],
    }));
    const tab = await stage.open({ flow: slug });
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Stay for half the price');
    await tab.press('No thanks');
    await tab.untilTitle('Sure?');
  });

  it('is saved by an offer, by mouse', async () => {
    const tab = await open();
    await tab.begin();
    await walkToOffer(tab);
    await tab.press('Take 50 % off');
    await tab.untilNoticed('saved');
    expect(await sessions()).toMatchObject([
      {
        status: 'saved',
        accepted_offer: { name: 'Half price' },
        steps: [{ action: 'continue' }, { action: 'answer', option: 'too_expensive' }, { action: 'accept' }],
      },
    ]);
    expect(tab.page.url()).toContain('/account');
  });

  it('chooses how long a pause lasts, and finds the choice again after a reload', async () => {
    const pausing = await pauseOf(1, 2, 3);
    const tab = await stage.open({ flow: pausing.slug, attributes: { 'data-customer-id': 'cus_break' } });
    await tab.begin();
    await walkToOffer(tab, 'Take a break');
    const chosen = () => tab.inDialog((dialog) => dialog!.querySelector<HTMLInputElement>(':checked')?.value);
    expect(await chosen()).toBeUndefined();
    await tab.press('Pause');
    expect(await tab.title()).toBe('Take a break');
    await tab.press('3 months');
    await tab.page.reload();
    await tab.untilWidget();
    await tab.clickLink();
    await tab.untilTitle('Take a break');
    expect(await chosen()).toBe('3');
    await tab.press('2 months');
    await tab.press('Pause');
    await tab.untilNoticed('saved');
    const [{ accepted_offer, steps }] = await stage.acme.sessions(pausing);
    expect([accepted_offer, steps.at(-1)]).toMatchObject([{ terms: { months: 2 } }, { action: 'accept', months: 2 }]);
  });

  it('gives several answers, is asked about the first of them, and is held back without any', async () => {
    const options = [
      { value: 'price', label: 'The price', comment_label: 'What would be fair?' },
      { value: 'bugs', label: 'Too many faults', comment_label: 'Which one?' },
      { value: 'other', label: 'Something else' },
    ];
    const flow = await stage.acme.advancedFlow(() => ({
      entry: 'why',
      nodes: [
        {
          key: 'why',
          type: 'survey',
          config: { title: 'Why?', comment: 'optional', multiple: true, options },
          next: 'sure',
        },
        { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
      ],
    }));
    const tab = await stage.open({ flow: flow.slug });
    await tab.begin('Why?');
    const asked = () => tab.inDialog((dialog) => dialog!.querySelector('[part~=label]')!.textContent);
    expect(await asked()).toBe('Your comment (optional)');
    // Browsers call what is required and empty invalid, before anybody was asked.
    const heardAsValid = () =>
      tab.inDialog((dialog) =>
        [...dialog!.querySelectorAll('input, textarea')].map((input) => input.getAttribute('aria-invalid') === 'false'),
      );
    expect(await heardAsValid()).toEqual([true, true, true, true]);
    await tab.press(WORDS.proceed);
    expect(await tab.title()).toBe('Why?');
    expect(await heardAsValid()).toEqual([false, true, true, true]);
    await tab.press('Something else');
    expect(await asked()).toBe('Your comment (optional)');
    await tab.press('Too many faults');
    expect(await asked()).toBe('Which one? (optional)');
    await tab.press('The price');
    expect(await asked()).toBe('What would be fair? (optional)');
    await tab.press('Something else');
    await tab.comment('10 a month.');
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Sure?');
    const [{ steps }] = await stage.acme.sessions(flow);
    expect(steps).toMatchObject([{ action: 'answer', options: ['price', 'bugs'], comment: '10 a month.' }]);
  });

  it('chooses how long a pause lasts on a page whose language is no tag', async () => {
    const pausing = await pauseOf(1, 2);
    const tab = await stage.open({ flow: pausing.slug, html: 'lang="de_DE"' });
    await tab.begin();
    await walkToOffer(tab, 'Take a break');
    await tab.press('2 months');
    await tab.press('Pause');
    await tab.untilNoticed('saved');
  });

  it('declines a pause without a word about its months', async () => {
    const pausing = await pauseOf(1, 2);
    const tab = await stage.open({ flow: pausing.slug });
    await tab.begin();
    await walkToOffer(tab, 'Take a break');
    await tab.press('2 months');
    await tab.press('No thanks');
    await tab.untilTitle('Cancel your subscription?');
  });

  it('arrives at the cancellation page after the last question, by mouse', async () => {
    const tab = await open();
    await tab.begin();
    await walkToOffer(tab);
    await tab.press('No thanks');
    await tab.untilTitle('Cancel your subscription?');
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    expect(await sessions()).toMatchObject([
      {
        status: 'canceled',
        accepted_offer: null,
        steps: [
          { action: 'continue' },
          { action: 'answer' },
          { action: 'decline' },
          { action: expect.stringMatching('confirm|cancel') },
        ],
      },
    ]);
  });

  it('is saved by an offer, by keyboard alone', async () => {
    const tab = await open();
    const { keyboard } = tab.page;
    await tab.tabTo('Cancel subscription');
    await keyboard.press('Enter');
    await tab.untilTitle('Before you go');
    await tab.tabTo(WORDS.proceed);
    await keyboard.press('Enter');
    await tab.untilTitle('Why are you leaving?');
    await tab.tabTo('Too expensive');
    await keyboard.press(' ');
    await keyboard.press('ArrowDown');
    await tab.tabTo(WORDS.proceed);
    await keyboard.press(' ');
    await tab.untilTitle('Stay for half the price');
    await tab.tabTo('Take 50 % off');
    await keyboard.press('Enter');
    await tab.untilNoticed('saved');
    expect(await sessions()).toMatchObject([
      { status: 'saved', steps: [{}, { action: 'answer', option: 'missing_features' }, { action: 'accept' }] },
    ]);
  });

  it('arrives at the cancellation page from every node, by keyboard alone', async () => {
    const tab = await open();
    const { keyboard } = tab.page;
    await tab.tabTo('Cancel subscription');
    await keyboard.press('Enter');
    await tab.untilTitle('Before you go');
    await tab.tabTo(WORDS.leave);
    await keyboard.press('Enter');
    await tab.untilAt(stage.host.cancelPage);
    expect(await sessions()).toMatchObject([{ status: 'canceled', steps: [{ node_key: 'start', action: 'cancel' }] }]);
  });

  it('gives a comment, which is recorded as it was written', async () => {
    const tab = await open();
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.press('Something else');
    const comment = 'Zu teuer <b>&amp;</b>\n"für mich" 🙂';
    await tab.comment(comment);
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Stay for half the price');
    expect(await sessions()).toMatchObject([{ steps: [{}, { option: 'other', comment }] }]);
  });

  it('goes on at the same node after a reload, and is counted once', async () => {
    const tab = await open();
    await tab.begin();
    await walkToOffer(tab);
    await tab.reload();
    await tab.begin('Stay for half the price');
    expect(await sessions()).toMatchObject([{ current_node: 'offer_1' }]);
  });

  it('begins anew after the session has ended', async () => {
    const tab = await open();
    await tab.begin();
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    await tab.page.goto(stage.host.page({ service: stage.service, flow: flow.slug }));
    await tab.untilWidget();
    await tab.begin();
    expect((await sessions()).map(({ status }) => status)).toEqual(['in_progress', 'canceled']);
  });

  it('who comes back with the back button finds the page without a dialog, and a new click works', async () => {
    const tab = await open();
    await tab.begin();
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    await tab.back();
    expect(await tab.title()).toBeUndefined();
    await tab.begin();
    expect(await sessions()).toHaveLength(2);
  });

  it.each(['Escape', '×'])(
    'closes the dialog with %s, stays where they were, and has the focus on the link',
    async (how) => {
      const tab = await open();
      await tab.begin();
      if (how === 'Escape') await tab.page.keyboard.press('Escape');
      else await tab.press(WORDS.close);
      // With Escape, the browser closes the dialog first, and tells the page in a task of its own.
      await tab.untilNoticed('closed');
      expect(await tab.title()).toBeUndefined();
      expect(await tab.focused()).toBe('Cancel subscription');
      expect(await tab.noticed('closed')).toMatchObject([{ detail: { outcome: 'closed' } }]);
      expect(await sessions()).toMatchObject([{ status: 'in_progress', steps: [] }]);
      await tab.begin();
      expect(await sessions()).toHaveLength(1);
    },
  );

  it('in an app that routes by hash can do so again, as often as they like', async () => {
    const tab = await stage.open({
      body: `<a href="#/cancel" data-retention-flow="${flow.slug}">Cancel subscription</a>`,
    });
    for (let visits = 1; visits <= 4; visits++) {
      await tab.begin();
      await tab.press(WORDS.leave);
      await tab.until('the app shows its cancellation page', () => location.hash === '#/cancel');
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      expect(await sessions()).toHaveLength(visits);
      if (visits === 1) await tab.page.evaluate(() => (location.hash = '#/account'));
    }
  });

  it('again while the cancellation page is slow goes there, and starts no second session', async () => {
    const front = await stage.front();
    const path = '/cancel-page?slow';
    front.fault = (asked) => (asked.path === path ? 'silent' : undefined);
    const tab = await stage.open({
      service: front.url,
      body: `<a href="${front.url + path}" data-retention-flow="${flow.slug}">Cancel subscription</a>`,
      module: `
        document.addEventListener('retention-flow:canceled', ({ target }) => setTimeout(() => target.click(), 200));`,
    });
    await tab.begin();
    await tab.press(WORDS.leave);
    const asked = () => Promise.resolve(front.asked.filter((one) => one.path === path).length);
    await tab.untilValue('how often the page was asked for', asked, 2);
    expect(front.starts).toHaveLength(1);
  });

  it('who closes the dialog before an answer comes keeps the focus where they went since', async () => {
    const front = await stage.front();
    const body = `<a href="/cancel-page?sub=1" data-retention-flow="${flow.slug}">Cancel subscription</a><button>Pay</button>`;
    const tab = await stage.open({ service: front.url, body });
    await tab.begin();
    front.fault = ({ action }) => (action === 'keep' ? 'silent' : undefined);
    await tab.press(WORDS.keep);
    await tab.press(WORDS.close);
    await tab.untilValue('the title', () => tab.title(), undefined);
    expect(await tab.focused()).toBe('Cancel subscription');
    await tab.page.focus('button');
    await tab.untilNoticed('closed');
    expect(await tab.focused()).toBe('Pay');
  });

  it('who double-clicks everything sends everything once', async () => {
    const front = await stage.front();
    const tab = await stage.open({ service: front.url, flow: flow.slug });
    await tab.begin();
    const twice = async (name: string) => (await tab.control(name)).click({ count: 2 });
    await twice(WORDS.proceed);
    await tab.press('Too expensive');
    await twice(WORDS.proceed);
    await tab.untilTitle('Stay for half the price');
    await twice('Take 50 % off');
    await tab.untilNoticed('saved');
    expect(front.asked.flatMap(({ action }) => action ?? [])).toEqual(['continue', 'answer', 'accept']);
    expect(await sessions()).toMatchObject([{ status: 'saved', steps: [{}, {}, {}] }]);
  });

  it('who double-clicks the link leaves at once or sees the first node: never nothing, never twice', async () => {
    const tab = await open();
    await tab.clickLink({ count: 2 });
    await tab.until(
      'the cancellation page or the first node',
      () =>
        location.pathname === '/cancel-page' ||
        !!document.querySelector('retention-flow')?.shadowRoot?.querySelector('dialog[open] [part~=title]'),
    );
    expect((await sessions()).length).toBeLessThanOrEqual(1);
  });

  it('with two tabs has a session in each', async () => {
    const context = await stage.context();
    const url = stage.host.page({ service: stage.service, flow: flow.slug });
    const [one, other] = [await Tab.open(context, url), await Tab.open(context, url)];
    await other.begin();
    await other.press(WORDS.proceed);
    await other.untilTitle('Why are you leaving?');
    await one.page.bringToFront();
    await one.begin();
    await one.press(WORDS.leave);
    await one.untilAt(stage.host.cancelPage);
    expect(await sessions()).toMatchObject([
      { status: 'canceled', steps: [{ action: 'cancel' }] },
      { status: 'in_progress', current_node: 'reason' },
    ]);
  });

  it.each(['Control', 'Shift', 'the middle button'])(
    'with %s gets the cancellation page in a new tab or window, by the browser itself',
    async (how) => {
      const context = await stage.context();
      const tab = await Tab.open(context, stage.host.page({ service: stage.service, flow: flow.slug }));
      const { keyboard } = tab.page;
      if (how === 'the middle button') await tab.clickLink({ button: 'middle' });
      else {
        await keyboard.down(how as 'Control');
        await tab.clickLink();
        await keyboard.up(how as 'Control');
      }
      const addresses = async () => (await context.pages()).map((page) => page.url());
      await tab.untilValue(
        'the addresses',
        async () => (await addresses()).includes(stage.host.origin + CANCEL_PAGE),
        true,
      );
      expect(tab.page.url()).toContain('/account');
      expect(await tab.title()).toBeUndefined();
      expect(await sessions()).toEqual([]);
    },
  );
});
