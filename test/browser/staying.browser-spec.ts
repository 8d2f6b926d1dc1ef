import { connected } from '../support/database';
import type { Flow } from './support/acme';
import type { Fault, Front } from './support/front';
import { inEachBrowser } from './support/stage';
import type { Tab } from './support/tab';
import { WORDS } from './support/words';

inEachBrowser('A customer is never told what is not so', (stage) => {
  let flow: Flow;

  beforeEach(async () => {
    flow = await stage.acme.flow();
  });

  const sessions = () => stage.acme.sessions(flow);

  const walkToOffer = async (service: string) => {
    const tab = await stage.open({ service, flow: flow.slug });
    await tab.begin();
    await tab.press(WORDS.proceed);
    await tab.press('Too expensive');
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Stay for half the price');
    return tab;
  };

  /** The dialog asks to try again, and nothing says that the customer is saved. */
  const expectNotConfirmed = async (tab: Tab) => {
    await tab.control(WORDS.retry);
    expect(await tab.title()).toBe('Stay for half the price');
    expect(await tab.alert()).toBeDefined();
    await tab.control(WORDS.leave);
    expect(await tab.noticed('saved', 'canceled', 'closed', 'unavailable')).toEqual([]);
    expect(tab.page.url()).toContain('/account');
  };

  const expectSavedOnce = async (tab: Tab) => {
    await tab.untilNoticed('saved');
    expect(await tab.noticed('saved')).toHaveLength(1);
    expect(await sessions()).toMatchObject([
      { status: 'saved', steps: [{ action: 'continue' }, { action: 'answer' }, { action: 'accept' }] },
    ]);
  };

  it.each<[string, Fault]>([
    ['the connection breaks', 'cut'],
    ['the answer is lost', 'lost'],
    ['the answer is 429', { status: 429, headers: { 'retry-after': '60' } }],
    ['the answer is 502 with HTML', { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['the answer is 200 without sense', { status: 200, body: '{"status":"saved"' }],
    ['the answer is 200 with an empty object', { status: 200, body: '{}' }],
  ])('about an accepted offer when %s: "try again" saves them, once', async (_, fault) => {
    const front: Front = await stage.front();
    const tab = await walkToOffer(front.url);
    front.fault = ({ action }) => (action === 'accept' ? fault : undefined);
    await tab.press('Take 50 % off');
    await expectNotConfirmed(tab);
    front.fault = () => undefined;
    await tab.press(WORDS.retry);
    await expectSavedOnce(tab);
  });

  it('about an accepted offer when the service is frozen: "try again" saves them, once', async () => {
    const tab = await walkToOffer(stage.service);
    await stage.whileFrozen(async () => {
      await tab.press('Take 50 % off');
      await expectNotConfirmed(tab);
    });
    await tab.press(WORDS.retry);
    await expectSavedOnce(tab);
  });

  it('about an accepted offer when the service is killed: "try again" saves them, once', async () => {
    const tab = await walkToOffer(stage.service);
    stage.process.signal('SIGKILL');
    await stage.process.ended;
    try {
      await tab.press('Take 50 % off');
      await expectNotConfirmed(tab);
    } finally {
      await stage.startService();
    }
    await tab.press(WORDS.retry);
    await expectSavedOnce(tab);
  });

  it('about an offer that was accepted but not confirmed: who cancels instead arrives at the cancellation page', async () => {
    const front = await stage.front();
    const tab = await walkToOffer(front.url);
    front.fault = ({ action }) => (action === 'accept' ? 'cut' : undefined);
    await tab.press('Take 50 % off');
    await expectNotConfirmed(tab);
    await tab.press(WORDS.leave);
    await tab.untilAt(stage.host.cancelPage);
    expect(await sessions()).toMatchObject([{ status: 'canceled' }]);
  });

  it.each<[string, string, Fault]>([
    ['continue', 'Why are you leaving?', 'cut'],
    ['decline', 'Cancel your subscription?', { status: 500 }],
  ])('when %s fails: the dialog stays, and "try again" goes on', async (action, title, fault) => {
    const front = await stage.front();
    const tab = await stage.open({ service: front.url, flow: flow.slug });
    await tab.begin();
    front.fault = (asked) => (asked.action === action ? fault : undefined);
    await tab.press(WORDS.proceed);
    if (action === 'decline') {
      await tab.press('Too expensive');
      await tab.press(WORDS.proceed);
      await tab.press('No thanks');
    }
    await tab.control(WORDS.retry);
    await tab.control(WORDS.leave);
    expect(await tab.noticed('saved', 'canceled', 'closed', 'unavailable')).toEqual([]);
    front.fault = () => undefined;
    await tab.press(WORDS.retry);
    await tab.untilTitle(title);
  });

  it('starts again, and says so, when the dialog was left open for longer than a session lives', async () => {
    const tab = await walkToOffer(stage.service);
    await connected(stage.databaseUrl, (client) =>
      client.query(`UPDATE flow_sessions SET created_at = created_at - interval '25 hours' WHERE flow_id = $1`, [
        flow.id,
      ]),
    );
    await tab.press('Take 50 % off');
    await tab.untilTitle('Before you go');
    expect(await tab.alert()).toBe('That took too long. Please start again.');
    expect(await tab.noticed('saved')).toEqual([]);
    await tab.press(WORDS.proceed);
    await tab.untilTitle('Why are you leaving?');
    expect(await tab.alert()).toBeUndefined();
  });

  it('goes on where the session stands when another tab has moved it', async () => {
    const front = await stage.front();
    const tab = await walkToOffer(front.url);
    const { path } = front.steps('answer')[0];
    await fetch(stage.service + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ node_key: 'offer_1', action: 'decline' }),
    });
    await tab.press('Take 50 % off');
    await tab.untilTitle('Cancel your subscription?');
    expect(await tab.noticed('saved')).toEqual([]);
    expect(await sessions()).toMatchObject([{ status: 'in_progress', current_node: 'confirm' }]);
  });
});
