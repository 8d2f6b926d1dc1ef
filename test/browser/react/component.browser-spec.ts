import { until } from '../../faults/support/until';
import type { Flow } from '../support/acme';
import { axeViolations } from '../support/axe';
import type { Fault } from '../support/front';
import { inEachBrowser } from '../support/stage';
import type { Tab } from '../support/tab';
import { WORDS } from '../support/words';
import { bundled, componentWith, fullFlow, mounted, openProgram, type ReactVersion } from './programs';

/** Says who the customer is, until somebody else is. */
const CUSTOMER = `
  import { useState } from 'react';
  function useCustomer() {
    const [id, setId] = useState('cus_1');
    globalThis.become = setId;
    return id;
  }`;

/** Pages that the component is in. */
const AROUND = `
  import { useEffect as useEffectAround, useRef as useRefAround, useState as useStateAround } from 'react';
  function Replaced() {
    const [isReplaced, setReplaced] = useStateAround(false);
    globalThis.replace = () => setReplaced(true);
    return isReplaced ? <a href="/">Canceled</a> : <CancelLink />;
  }
  function Around() {
    const dialog = useRefAround(null);
    useEffectAround(() => { if (!dialog.current.open) dialog.current.showModal(); });
    const hear = ({ type }) => globalThis.heard.push(type);
    return <dialog ref={dialog} onClose={hear} onKeyDown={hear} onInput={hear} onClick={hear} onReset={hear}><CancelLink /></dialog>;
  }`;

inEachBrowser('The React component', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await fullFlow(stage);
  });

  interface Page {
    version?: ReactVersion;
    css?: string;
    connect?: string;
    service?: string;
    csp?: string;
    /** The page puts something else in its place when it is told to, by `replace()`. */
    replaced?: boolean;
    /** It is inside of a dialog that notes what it hears. */
    around?: boolean;
  }

  /** Opens a page with the component, with more properties. */
  async function open(
    properties = '',
    before = '',
    { version, service = stage.service, replaced, around, ...page }: Page = {},
  ): Promise<Tab> {
    const program = mounted(componentWith(properties, before + AROUND), service, flow);
    const link = replaced ? '<Replaced />' : around ? '<Around />' : '<CancelLink />';
    const module = await bundled(program.replace('<Strict><CancelLink />', `<Strict>${link}`), { version });
    return openProgram(stage, module, { connect: service, ...page });
  }
  const begin = async (tab: Tab) => {
    await tab.page.click('#root a');
    await tab.untilTitle('Why are you leaving?');
  };
  const answer = async (tab: Tab, label: string) => {
    await tab.press(label);
    await tab.press(WORDS.proceed);
  };
  const sessions = () => stage.acme.sessions(flow);
  /** Nothing was thrown, and React had nothing to warn of. */
  const expectNoErrors = async (tab: Tab) => expect(await tab.noticed('error', 'violation')).toEqual([]);

  it.each<ReactVersion>([18, 19])(
    'walks each type of node, with React %i in StrictMode; axe finds nothing',
    async (version) => {
      const tab = await open('', '', { version });
      const audit = async () => expect(await axeViolations(tab.page)).toEqual([]);
      await begin(tab);
      await audit();
      expect(await tab.focused()).toBe('Why are you leaving?');
      await tab.press('I need a break');
      expect(await tab.text()).toContain('Until when? (optional)');
      await (await tab.page.$('dialog textarea'))!.type(' In May ');
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Pause for a while');
      await audit();
      expect(await tab.focused()).toBe('Pause for a while');
      await tab.press('No thanks');
      await tab.untilTitle('Would you recommend us?');
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Cancel now?');
      await audit();
      await tab.press(WORDS.leave);
      await tab.untilAt(stage.host.cancelPage);
      const [session] = await sessions();
      expect(session).toMatchObject({ status: 'canceled' });
      expect(session.steps.map(({ action, option, comment }) => [action, option, comment])).toEqual([
        ['answer', 'break', 'In May'],
        ['decline', null, null],
        ['answer', null, null],
        ['confirm', null, null],
      ]);
      await expectNoErrors(tab);
    },
  );

  it('accepts an offer with the chosen months, thanks in its words, and gives the focus back to the link', async () => {
    const tab = await open(`onSaved={({ acceptedOffer }) => (document.title = acceptedOffer.heading)}`);
    await begin(tab);
    await answer(tab, 'I need a break');
    await tab.untilTitle('Pause for a while');
    await tab.press('Pause');
    // No month is chosen for the customer: the browser asks for it.
    expect(await tab.title()).toBe('Pause for a while');
    await tab.press('2 months');
    await tab.press('Pause');
    await tab.untilTitle('See you soon');
    expect(await tab.page.title()).toBe('Pause for a while');
    await tab.press(WORDS.close);
    await tab.untilValue('the dialog', () => tab.title(), undefined);
    expect(await tab.focused()).toBe('Cancel subscription');
    expect((await sessions())[0]).toMatchObject({ status: 'saved', accepted_offer: { name: 'Pause' } });
    await expectNoErrors(tab);
  });

  it('asks for at least one of several answers, and not before "Continue"', async () => {
    const tab = await open();
    await begin(tab);
    await answer(tab, 'Too expensive');
    await tab.untilTitle('What is too expensive?');
    // What was chosen on the page before, under the same value, is not chosen here.
    await tab.press(WORDS.proceed);
    expect(await tab.inDialog((dialog) => dialog?.querySelector('input')?.validationMessage)).toBe(
      'Choose at least one answer.',
    );
    await answer(tab, 'The seats');
    await tab.untilTitle('Would you recommend us?');
    await expectNoErrors(tab);
  });

  it('is walked by keyboard alone; Esc closes it, and it goes on there with what was entered, also after a reload', async () => {
    const tab = await open(`customer={{ id: 'cus_4711' }}`);
    await tab.page.focus('#root a');
    await tab.page.keyboard.press('Enter');
    await tab.untilTitle('Why are you leaving?');
    await tab.tabTo('Too expensive');
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('Escape');
    await tab.untilValue('the dialog', () => tab.title(), undefined);
    expect(await tab.focused()).toBe('Cancel subscription');
    await tab.page.reload({ waitUntil: 'domcontentloaded' });
    await tab.page.waitForSelector('#root a');
    await tab.page.focus('#root a');
    await tab.page.keyboard.press('Enter');
    await tab.untilTitle('Why are you leaving?');
    expect(await tab.inDialog((dialog) => dialog?.querySelector<HTMLInputElement>(':checked')?.value)).toBe('break');
    await tab.tabTo(WORDS.leave);
    await tab.page.keyboard.press('Enter');
    await tab.untilAt(stage.host.cancelPage);
  });

  it('another tab has a session of its own', async () => {
    const tab = await open();
    await begin(tab);
    await answer(tab, 'I need a break');
    await tab.untilTitle('Pause for a while');
    const other = await tab.page.browserContext().newPage();
    await other.goto(tab.page.url());
    await other.click('#root a');
    await other.waitForSelector('::-p-xpath(//dialog//h2[text()="Why are you leaving?"])');
  });

  it('is gone when the customer comes back by "back", and opens again', async () => {
    const tab = await open();
    await begin(tab);
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    await tab.page.evaluate(() => history.back());
    await tab.until('the page before', () => location.pathname === '/account' && !!document.querySelector('#root a'));
    expect(await tab.title()).toBeUndefined();
    await begin(tab);
  });

  describe('lets the customer go', () => {
    it('when the service is frozen, at the start and in the middle', async () => {
      const [atStart, inTheMiddle] = [await open(), await open()];
      await begin(inTheMiddle);
      await stage.whileFrozen(async () => {
        await atStart.page.click('#root a');
        await atStart.untilAt(stage.host.cancelPage);
        await inTheMiddle.press(WORDS.leave);
        await inTheMiddle.untilAt(stage.host.cancelPage);
      });
    });

    it('to its own cancelUrl, when a flow that is made already knows none', async () => {
      const front = await stage.front();
      front.fault = () => ({ status: 500 });
      const made = `import { createFlow } from '@retention-flow/client/headless';
        const made = createFlow({ api: 'https://retention.acme.example', flow: 'leaving-acme-pro-7mzo5t5v' });`;
      const tab = await open('{...{ api: undefined, flow: made }}', made, { service: front.url });
      await tab.page.click('#root a');
      await tab.untilAt(stage.host.cancelPage);
      front.fault = () => undefined;
      await tab.page.evaluate(() => history.back());
      await tab.until('the page before', () => location.pathname === '/account' && !!document.querySelector('#root a'));
      await begin(tab);
    });

    it('when the service refuses', async () => {
      const front = await stage.front();
      front.fault = () => ({ status: 500 });
      const tab = await open('', '', { service: front.url });
      await tab.page.click('#root a');
      await tab.untilAt(stage.host.cancelPage);
    });

    it('at once on a second click, while the service takes its time', async () => {
      const front = await stage.front();
      front.fault = () => 'silent';
      const tab = await open('limits={{ start: 60_000 }}', '', { service: front.url });
      await tab.page.click('#root a');
      await tab.untilTitle(WORDS.moment);
      await tab.press(WORDS.leave);
      await tab.untilAt(stage.host.cancelPage);
    });
  });

  it.each<[string, Fault]>([
    ['lost', 'lost'],
    ['half', 'half'],
  ])('never says "saved" when the answer is %s: the customer is told, and tries again', async (_, fault) => {
    const front = await stage.front();
    const Saved = `const Saved = () => <p id="saved">Saved</p>;`;
    const tab = await open('components={{ Saved }}', Saved, { service: front.url });
    await begin(tab);
    await answer(tab, 'I need a break');
    await tab.untilTitle('Pause for a while');
    front.fault = ({ action }) => (action === 'accept' ? fault : undefined);
    await tab.press('1 month');
    await tab.press('Pause');
    await tab.control(WORDS.retry);
    expect(await tab.page.$('#saved')).toBeNull();
    front.fault = () => undefined;
    await tab.press(WORDS.retry);
    await tab.page.waitForSelector('#saved');
    expect((await sessions())[0]).toMatchObject({ status: 'saved', accepted_offer: { name: 'Pause' } });
  });

  describe('calls the page at the end:', () => {
    const WAITS = `
      const calls = (globalThis.calls = []);
      const ends = (event) => event.waitUntil(new Promise((resolve, reject) => calls.push({ resolve, reject })));`;
    const settle = (tab: Tab, how: 'resolve' | 'reject') =>
      tab.page.evaluate(
        (how) => (globalThis as unknown as { calls: Record<string, () => void>[] }).calls.at(-1)![how](),
        how,
      );

    it('the customer waits for its promises, with a way out; after a failure, "try again" calls it again', async () => {
      const tab = await open('onCanceled={ends}', WAITS);
      await begin(tab);
      await tab.press(WORDS.leave);
      await tab.untilTitle(WORDS.moment);
      await tab.control(WORDS.proceed);
      await settle(tab, 'reject');
      await tab.press(WORDS.retry);
      await tab.untilValue('the alert', () => tab.alert(), undefined);
      expect(tab.page.url()).toContain('/account');
      await settle(tab, 'resolve');
      await tab.untilAt(stage.host.cancelPage);
    });

    it('who does not want to wait goes on', async () => {
      const tab = await open('onCanceled={ends}', WAITS);
      await begin(tab);
      await tab.press(WORDS.leave);
      await tab.untilTitle(WORDS.moment);
      await tab.press(WORDS.proceed);
      await tab.untilAt(stage.host.cancelPage);
    });

    it('it may keep the customer on the page', async () => {
      const tab = await open('onCanceled={(event) => { event.preventDefault(); document.title = "Canceled"; }}');
      await begin(tab);
      await tab.press(WORDS.leave);
      await tab.untilValue('the page title', () => tab.page.title(), 'Canceled');
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      expect(tab.page.url()).toContain('/account');
    });

    it('a page that replaces the component leads the customer on all the same', async () => {
      const parent = '';
      const tab = await open(`onCanceled={() => globalThis.replace()}`, parent, { replaced: true });
      await begin(tab);
      await tab.press(WORDS.leave);
      await tab.untilAt(stage.host.cancelPage);
    });

    it('what was prevented once is not the next time', async () => {
      const tab = await open(`onSaved={(event) => event.preventDefault()} customer={{ id: 'cus_1' }}`);
      await begin(tab);
      await answer(tab, 'I need a break');
      await tab.press('1 month');
      await tab.press('Pause');
      await tab.untilTitle('See you soon');
      await tab.press(WORDS.close);
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      await stage.whileFrozen(async () => {
        await tab.page.click('#root a');
        await tab.untilAt(stage.host.cancelPage);
      });
    });

    it('a callback that throws takes nothing away', async () => {
      const broken = '() => { throw new Error("of the page"); }';
      const tab = await open(`onShown={${broken}} onStep={${broken}} onCanceled={${broken}}`);
      await begin(tab);
      await answer(tab, 'I need a break');
      await tab.untilTitle('Pause for a while');
      await tab.press(WORDS.leave);
      await tab.control(WORDS.retry);
      await tab.press(WORDS.proceed);
      await tab.untilAt(stage.host.cancelPage);
    });

    it('a call is no save: the customer may still leave', async () => {
      const told = `const told = (globalThis.told = []); const tell = (name) => () => told.push(name);`;
      const custom = `const Custom = ({ custom }) => <button onClick={() => custom.answer({ score: 5 })}>Five</button>;`;
      const properties = `onContacted={tell('contacted')} onSaved={tell('saved')} components={{ Custom }}`;
      const tab = await open(properties, told + custom);
      await begin(tab);
      await answer(tab, 'Too expensive');
      await tab.untilTitle('What is too expensive?');
      await answer(tab, 'The price');
      await tab.press('Five');
      await tab.untilTitle('Talk to us');
      await tab.press('Call me');
      await tab.untilTitle('Thank you for getting in touch');
      expect(await tab.page.evaluate(() => (globalThis as unknown as { told: string[] }).told)).toEqual(['contacted']);
      await tab.press(WORDS.leave);
      await tab.untilAt(stage.host.cancelPage);
      expect((await sessions())[0]).toMatchObject({ status: 'canceled', results: { nps: { score: 5 } } });
    });
  });

  describe('keeps the way out, whatever is put in its place:', () => {
    /** Presses what is there for it, until the customer is gone. */
    const untilLeft = (tab: Tab) =>
      until('the customer is gone', async () => {
        const wayOut = `::-p-xpath(//dialog//button[.="${WORDS.leave}"])`;
        const click = async () => (await tab.page.$(wayOut))?.click();
        await click().catch(() => undefined);
        return tab.page.url() === stage.host.cancelPage;
      });

    it.each([
      ['throws', `const Survey = () => { throw new Error('broken'); };`, 'components={{ Survey }}'],
      [
        'throws later',
        `import { useEffect } from 'react'; const Option = () => { useEffect(() => { throw new Error('broken'); }); return null; };`,
        'components={{ Option }}',
      ],
      ['shows nothing', `const Survey = () => null;`, 'components={{ Survey }}'],
      [
        'never comes',
        `import { lazy } from 'react'; const Survey = lazy(() => new Promise(() => {}));`,
        'components={{ Survey }}',
      ],
      [
        'covers it',
        `const Survey = () => <div style={{ position: 'fixed', inset: 0, background: 'red', zIndex: 9 }}>Covered</div>;`,
        'components={{ Survey }}',
      ],
      [
        'hides it',
        `const Survey = () => <style>{'[part=cancel] { display: none !important }'}</style>;`,
        'components={{ Survey }}',
      ],
    ])('a component that %s', async (_, component, properties) => {
      const tab = await open(properties, component, { csp: '' });
      await tab.page.click('#root a');
      await untilLeft(tab);
    });

    it('an element around it that is hidden', async () => {
      const tab = await open('', '', { css: '.hidden { display: none }' });
      await begin(tab);
      await tab.page.evaluate(() => document.querySelector('#root')!.classList.add('hidden'));
      await tab.untilAt(stage.host.cancelPage);
    });

    it('an element around it that is hidden when the customer stays: they stay', async () => {
      const tab = await open('', '', { css: '.hidden { display: none }' });
      await begin(tab);
      await answer(tab, 'I need a break');
      await tab.press('1 month');
      await tab.press('Pause');
      await tab.untilTitle('See you soon');
      await tab.page.evaluate(() => document.querySelector('#root')!.classList.add('hidden'));
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      expect(tab.page.url()).toContain('/account');
    });

    it('a message that is empty', async () => {
      const tab = await open(`messages={{ cancel: '', keep: undefined }}`);
      await begin(tab);
      await untilLeft(tab);
    });

    it.each([
      ['hides it', '.x { display: none }', `cancel: 'x'`],
      ['makes it invisible', '.x { opacity: 0 }', `cancel: 'x'`],
      ['moves it away', '.x { position: absolute; left: -9999px }', `cancel: 'x'`],
      ['lets nothing through to it', '.x { pointer-events: none }', `dialog: 'x'`],
      ['hides the dialog', '.x { display: none }', `dialog: 'x'`],
    ])('a class that %s', async (_, css, classNames) => {
      const tab = await open(`classNames={{ ${classNames} }} unstyled`, '', { css });
      await tab.page.click('#root a');
      await untilLeft(tab);
    });
  });

  it('forgets what one customer entered when another follows in the same page', async () => {
    const tab = await open('customer={{ id: useCustomer() }}', CUSTOMER);
    await begin(tab);
    await tab.press('I need a break');
    await (await tab.page.$('dialog textarea'))!.type('A secret');
    await tab.page.keyboard.press('Escape');
    await tab.untilValue('the dialog', () => tab.title(), undefined);
    await tab.page.evaluate(() => (globalThis as unknown as { become: (id: string) => void }).become('cus_2'));
    await begin(tab);
    expect(await tab.inDialog((dialog) => dialog?.querySelector('textarea')?.value)).toBe('');
  });

  it('follows the colours of a dark page, whose rules for elements and classes stay out of it', async () => {
    const css = `:root { color-scheme: dark } #root button { border-radius: 0; background: red } #root label::before { content: '>' }`;
    const tab = await open('', '', { css });
    await begin(tab);
    const look = await tab.inDialog((dialog) => {
      const styles = (part: string, pseudo?: string) =>
        getComputedStyle(dialog!.querySelector(`[part~=${part}]`)!, pseudo);
      return [
        getComputedStyle(dialog!).colorScheme,
        styles('primary').borderRadius,
        styles('option', '::before').content,
      ];
    });
    expect(look).toEqual(['dark', '12px', 'none']);
  });

  it('is no part of what is around it: neither its dialog nor its keys reach there', async () => {
    const tab = await open('', `globalThis.heard = [];`, { around: true });
    await begin(tab);
    await tab.press('I need a break');
    await (await tab.page.$('dialog dialog textarea'))!.type('a');
    await tab.page.keyboard.press('Escape');
    await tab.untilValue(
      'the dialogs',
      () => tab.page.evaluate(() => document.querySelectorAll('dialog[open]').length),
      1,
    );
    expect(await tab.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual(['click']);
  });
});
