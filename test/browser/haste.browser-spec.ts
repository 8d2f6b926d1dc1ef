import type { Flow } from './support/acme';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';
import { WORDS } from './support/words';

const OFFER = 'Stay for half the price';
const CONFIRM = 'Cancel your subscription?';
const COMMENT = 'I had half of a sentence';

inEachBrowser('A customer in haste', (stage) => {
  let flow: Flow;

  beforeEach(async () => {
    flow = await stage.acme.flow();
  });

  const sessions = () => stage.acme.sessions(flow);

  const walkToSurvey = async (attributes: Record<string, string> = { 'data-customer-id': 'cus_1' }) => {
    const front = await stage.front();
    const tab = await stage.open({ service: front.url, flow: flow.slug, attributes });
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Why are you leaving?');
    return { tab, front };
  };

  const walkToOffer = async () => {
    const { tab, front } = await walkToSurvey();
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.untilTitle(OFFER);
    await tab.settle();
    return { tab, front };
  };

  /** From now on, the moment in which something appears does not end. */
  const holdTheMoment = (tab: Tab) =>
    tab.page.evaluate(() => {
      const root = document.querySelector('retention-flow')!.shadowRoot!;
      const hold = () => root.getAnimations().forEach((animation) => animation.pause());
      new MutationObserver(hold).observe(root, { childList: true, subtree: true });
    });

  /** Clicks where a button is, at once. */
  const clickAt = async ({ page }: Tab, name: string) => {
    const [x, y] = await page.evaluate((name) => {
      const buttons = document.querySelector('retention-flow')!.shadowRoot!.querySelectorAll('button');
      const { left, top, width, height } = [...buttons].find((one) => one.innerText === name)!.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }, name);
    await page.mouse.click(x, y);
  };

  const expectCanceled = async (tab: Tab) => {
    await clickAt(tab, WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    const [{ status, steps }] = await sessions();
    expect([status, steps.at(-1)!.action]).toEqual(['canceled', expect.stringMatching('confirm|cancel')]);
  };

  it('does not keep the subscription by a click that was meant for the page before, and can cancel at once', async () => {
    const { tab } = await walkToOffer();
    await holdTheMoment(tab);
    await clickAt(tab, 'No thanks');
    await tab.untilTitle(CONFIRM);
    await clickAt(tab, WORDS.keep);
    await expectCanceled(tab);
  });

  it('does not accept an offer by a click that was meant for the buttons before an alert moved them', async () => {
    const { tab, front } = await walkToOffer();
    front.fault = ({ action }) => (action === 'decline' ? 'cut' : undefined);
    await holdTheMoment(tab);
    await clickAt(tab, 'No thanks');
    await tab.untilValue('the alert', async () => !!(await tab.alert()), true);
    await clickAt(tab, 'Take 50 % off');
    expect(front.steps('accept')).toEqual([]);
    await expectCanceled(tab);
  });

  it('can act on a new page at once by keyboard', async () => {
    const { tab } = await walkToOffer();
    await holdTheMoment(tab);
    await clickAt(tab, 'No thanks');
    await tab.untilTitle(CONFIRM);
    await tab.tabTo(WORDS.keep);
    await tab.page.keyboard.press('Enter');
    await tab.untilNoticed('saved');
  });

  const stored = (tab: Tab) => tab.page.evaluate(() => JSON.stringify(sessionStorage));

  it.each(['Escape', '×', 'a reload'])(
    'finds the answer and the comment again after %s, until they are sent',
    async (how) => {
      const { tab } = await walkToSurvey();
      await tab.press('Something else');
      await tab.comment(COMMENT);
      if (how === 'a reload') await tab.reload();
      else {
        if (how === 'Escape') await tab.page.keyboard.press('Escape');
        else await tab.press(WORDS.close);
        await tab.untilNoticed('closed');
      }
      await tab.begin('Why are you leaving?');
      await tab.press(WORDS.proceed);
      await tab.untilTitle(OFFER);
      expect(await sessions()).toMatchObject([{ steps: [{}, { option: 'other', comment: COMMENT }] }]);
      expect(await stored(tab)).not.toContain(COMMENT);
    },
  );

  it('whom the page does not name leaves no comment to the next person in the tab', async () => {
    const { tab } = await walkToSurvey({});
    await tab.press('Something else');
    await tab.comment(COMMENT);
    await tab.press(WORDS.close);
    await tab.untilNoticed('closed');
    expect(await stored(tab)).not.toContain(COMMENT);
    await tab.begin('Why are you leaving?');
    await tab.press('Something else');
    expect(await tab.inDialog((dialog) => dialog!.querySelector('textarea')!.value)).toBe('');
  });

  it('leaves no comment behind when the session ends', async () => {
    const { tab } = await walkToSurvey();
    await tab.comment(COMMENT);
    expect(await stored(tab)).toContain(COMMENT);
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    expect(await stored(tab)).not.toContain(COMMENT);
  });
});
