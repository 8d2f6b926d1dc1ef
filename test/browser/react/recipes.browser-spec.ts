import type { Flow } from '../support/acme';
import { axeViolations } from '../support/axe';
import { inEachBrowser } from '../support/stage';
import type { Tab } from '../support/tab';
import { WORDS } from '../support/words';
import { bundled, fullFlow, mounted, openProgram, programOf } from './programs';

/** What stands in a project for the components of shadcn, on the same package. */
const SHADCN = {
  '@/components/ui/dialog': './test/browser/react/shadcn-dialog.tsx',
  '@/components/ui/button': './test/browser/react/shadcn-button.tsx',
};

/** The few classes of Tailwind that the recipe needs to be seen. */
const TAILWIND =
  '.sr-only { display: none } .bg-indigo-600 { background: rgb(79, 57, 246) } .text-white { color: #fff }';

inEachBrowser('A program of docs/react.md', (stage) => {
  let flow: Flow;

  beforeAll(async () => {
    flow = await fullFlow(stage);
  });

  async function open(name: string, css?: string): Promise<Tab> {
    const module = await bundled(mounted(programOf('react.md', name), stage.service, flow), { alias: SHADCN });
    const tab = await openProgram(stage, module, { css, csp: '' });
    await tab.page.click('#root a');
    await tab.untilTitle('Why are you leaving?');
    return tab;
  }
  const answer = async (tab: Tab, label: string) => {
    await tab.press(label);
    await tab.press(WORDS.proceed);
  };
  const session = async () => (await stage.acme.sessions(flow))[0];
  const expectNoErrors = async (tab: Tab) => expect(await tab.noticed('error')).toEqual([]);

  it('the component: a customer takes a pause', async () => {
    const tab = await open('cancel-link.tsx');
    await answer(tab, 'I need a break');
    await tab.press('3 months');
    await tab.press('Pause');
    await tab.untilTitle('See you soon');
    expect(await session()).toMatchObject({ status: 'saved', accepted_offer: { name: 'Pause' } });
    await expectNoErrors(tab);
  });

  it('the callbacks: who stays is told when a request of the page fails, and the thanks stay', async () => {
    const tab = await open('with-callbacks.tsx');
    await answer(tab, 'I need a break');
    await tab.press('3 months');
    await tab.press('Pause');
    await tab.untilTitle('See you soon');
    await tab.untilValue('the alert', () => tab.alert(), undefined);
    await tab.press(WORDS.close);
    await tab.untilValue('the dialog', () => tab.title(), undefined);
  });

  it('pages of your own: a score, which a branch reads, and a call to book', async () => {
    const tab = await open('own-pages.tsx');
    await answer(tab, 'Too expensive');
    await tab.untilTitle('What is too expensive?');
    await answer(tab, 'The price');
    await tab.untilTitle('Would you recommend us?');
    await tab.press('5');
    await tab.untilTitle('Talk to us');
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.press('Tuesday, 16:00');
    await tab.untilTitle('Thank you for getting in touch');
    expect(await session()).toMatchObject({ status: 'contacted', results: { nps: { score: 5 } } });
    await expectNoErrors(tab);
  });

  it('Tailwind: its classes alone decide the look', async () => {
    const tab = await open('with-tailwind.tsx', TAILWIND);
    const color = await tab.inDialog((dialog) => getComputedStyle(dialog!.querySelector('button.text-white')!).color);
    expect(color).toBe('rgb(255, 255, 255)');
    expect(await tab.inDialog((dialog) => dialog!.querySelectorAll('[part]').length)).toBe(0);
    await answer(tab, 'Too expensive');
    await tab.untilTitle('What is too expensive?');
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
  });

  it.each(['own-dialog.tsx', 'shadcn-dialog.tsx'])(
    'the hook, %s: a customer answers, declines and cancels',
    async (name) => {
      const tab = await open(name);
      expect(await axeViolations(tab.page)).toEqual([]);
      expect(await tab.inDialog((dialog) => dialog!.contains(document.activeElement))).toBe(true);
      await answer(tab, 'I need a break');
      await tab.untilTitle('Pause for a while');
      expect(await tab.focused()).toBe('Pause for a while');
      await tab.press('No thanks');
      await tab.untilTitle('Would you recommend us?');
      await tab.press(WORDS.proceed);
      await tab.untilTitle('Cancel now?');
      await tab.page.keyboard.press('Escape');
      await tab.untilValue('the dialog', () => tab.title(), undefined);
      expect(await tab.focused()).toBe('Cancel subscription');
      await tab.page.click('#root a');
      await tab.untilTitle('Cancel now?');
      await tab.press(WORDS.leave);
      await tab.untilAt(stage.host.cancelPage);
      expect(await session()).toMatchObject({ status: 'canceled' });
      await expectNoErrors(tab);
    },
  );
});

inEachBrowser('The program of docs/testing.md', (stage) => {
  it('shows a flow without a service, which says so, and leads by its rules', async () => {
    const program = programOf('testing.md', 'leaving.stories.tsx');
    const module = await bundled(mounted(program, stage.service, await stage.acme.flow()));
    const tab = await openProgram(stage, module, { csp: '' });
    await tab.page.click('#root a');
    await tab.untilTitle('Why are you leaving, Ann?');
    expect(await tab.text()).toContain('Not a real cancellation');
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Half price');
    await tab.press('No thanks');
    await tab.untilTitle('Cancel now?');
    await tab.press(WORDS.keep);
    await tab.untilTitle(WORDS.thanks);
    expect(await tab.text()).toContain('Not a real cancellation');
    await tab.press(WORDS.close);
    await tab.page.click('#root a');
    await tab.untilTitle('Why are you leaving, Ann?');
    await tab.press(WORDS.leave);
    await tab.untilValue('the dialog', () => tab.title(), undefined);
    expect(tab.page.url()).toMatch(/#$/);
    expect(await tab.noticed('error')).toEqual([]);
    expect(tab.requests.filter((url) => url.startsWith(stage.service))).toEqual([]);
  });
});

describe('A program of docs/react.md is short:', () => {
  const linesOf = (name: string, from: string, to: string) => {
    const lines = programOf('react.md', name).split('\n');
    const first = lines.findIndex((line) => line.includes(from));
    const last = lines.findIndex((line, index) => index > first && line.trim() === to);
    if (first < 0 || last < 0) throw new Error(`${name} has no "${from}" that ends with "${to}"`);
    return last - first + 1;
  };

  it('the component takes at most 6 lines, the logic of the hook at most 40', () => {
    expect(linesOf('cancel-link.tsx', '<CancelFlow', '</CancelFlow>')).toBeLessThanOrEqual(6);
    expect(linesOf('own-dialog.tsx', 'useRetentionFlow({', '});')).toBeLessThanOrEqual(40);
  });
});
