import { createFlow, type FlowOptions, type View } from './flow.ts';
import {
  ACCEPTED_OFFER,
  CANCEL_URL,
  CANCELED,
  CLOSING,
  CONFIRM_NODE,
  CONTACTED,
  FAILS,
  HANGS,
  KEPT,
  OFFER_NODE,
  problem,
  SAVED,
  SESSION,
  START_NODE,
  started,
  state,
  stateAt,
} from './walk-answers.ts';
import { type Reply, TestWorld } from './walk-world.ts';

const OWN_URL = 'https://acme.example/own/cancel';
const ACCEPT = { action: 'accept' } as const;

let world: TestWorld;

beforeEach(() => {
  world = new TestWorld();
});

/** A flow whose service gives these replies, and every view of it. */
function flowOf(replies: Reply[], options: Partial<FlowOptions> = {}) {
  world.answers(...replies);
  const flow = createFlow({ api: 'https://retention.acme.example', flow: 'leaving-acme', ...options }, world);
  const views: View[] = [];
  const stop = flow.subscribe(() => views.push(flow.getView()));
  return { flow, views, stop };
}

/** The same at a node. */
async function at(node: object, replies: Reply[], options?: Partial<FlowOptions>) {
  const watched = flowOf([started(), state(stateAt(node)), ...replies], options);
  watched.flow.start();
  await world.pass(0);
  watched.flow.take({ action: 'continue' });
  await world.pass(0);
  watched.views.length = world.requests.length = 0;
  return watched;
}

describe('A flow without a look', () => {
  it('shows nothing before it is started, and then the first node; its view is the same object until it changes', async () => {
    const { flow, views } = flowOf([started()]);
    expect(flow.getView()).toEqual({ type: 'nothing' });
    expect(flow.getView()).toBe(flow.getView());
    flow.start();
    flow.start();
    await world.pass(0);
    expect(views).toEqual([{ type: 'node', node: START_NODE }]);
    expect(flow.getView()).toBe(views[0]);
    expect([world.requests.length, flow.sessionId()]).toEqual([1, SESSION]);
  });

  it('tells nobody who has unsubscribed', async () => {
    const { flow, views, stop } = flowOf([started()]);
    stop();
    flow.start();
    await world.pass(0);
    expect([views, flow.getView().type]).toEqual([[], 'node']);
  });

  it('says that the service takes its time', async () => {
    const { flow, views } = flowOf([{ ...started(), after: 1000 }]);
    flow.start();
    await world.pass(1000);
    expect(views.map(({ type }) => type)).toEqual(['starting', 'node']);
  });

  it.each([
    ['its title', { title: 'Talk to us', more: 1 }, { title: 'Talk to us' }],
    ['nothing', { title: 7 }, {}],
  ])('shows %s of a node that is newer', async (_, config, shown) => {
    const { flow } = await at({ key: 'call', type: 'call', config }, []);
    expect(flow.getView()).toEqual({ type: 'node', node: { key: 'call', type: 'unknown', config: shown } });
  });

  it.each([
    ['no title', { type: 'start', config: {} }],
    ['a title that is no text', { type: 'confirm', config: { title: { de: 'Sicher?' } } }],
    ['points that are none', { type: 'start', config: { title: 'Why?', points: [{ text: 'a' }] } }],
    ['a survey without options', { type: 'survey', config: { title: 'Why?' } }],
  ])('stays where it was, with the way out, when a node can’t be shown: with %s', async (_, node) => {
    const { flow } = await at({ key: 'next', ...node }, [state(CANCELED)]);
    expect(flow.getView()).toMatchObject({ node: START_NODE, alert: 'not_sent' });
    flow.leave();
    await world.pass(0);
    expect(flow.getView().type).toBe('canceled');
  });

  it('gives the whole address of a picture of the service', async () => {
    const image = { url: '/images/a', alt: 'A map' };
    const { flow } = await at({ key: 'start', type: 'start', config: { title: 'Stay?', image } }, []);
    expect(flow.getView()).toMatchObject({
      node: { config: { image: { url: 'https://retention.acme.example/images/a', alt: 'A map' } } },
    });
  });

  it.each([
    ['an offer', SAVED, { type: 'saved', acceptedOffer: ACCEPTED_OFFER, closing: CLOSING }],
    ['no offer', KEPT, { type: 'saved' }],
    ['an offer that is no save', CONTACTED, { type: 'contacted', acceptedOffer: ACCEPTED_OFFER, closing: CLOSING }],
  ])('never says that the customer stays before it is confirmed: with %s', async (_, body, view) => {
    const { flow, views } = await at(OFFER_NODE, [{ ...state(body), after: 1000 }]);
    flow.take(ACCEPT);
    await world.pass(999);
    expect(views).toEqual([{ type: 'node', node: OFFER_NODE, busy: { node_key: 'offer_1', ...ACCEPT } }]);
    await world.pass(1);
    expect(views.slice(1)).toEqual([view]);
    flow.close();
    expect(flow.getView()).toEqual({ type: 'nothing' });
  });

  it('lets who has taken an offer that is no save leave, and tells the service', async () => {
    const contacted = state({ ...CONTACTED, cancellation_url: CANCEL_URL });
    const { flow } = await at(OFFER_NODE, [contacted, { ...state(CANCELED), after: 100 }]);
    flow.take(ACCEPT);
    await world.pass(0);
    flow.leave();
    flow.start();
    await world.pass(100);
    expect(flow.getView()).toEqual({ type: 'canceled', url: CANCEL_URL });
    expect(world.requests.map(({ body }) => body?.action)).toEqual(['accept', 'cancel']);
  });

  it('has the way out where the customer stays, too', async () => {
    const { flow } = await at(OFFER_NODE, [state(SAVED)], { cancelUrl: OWN_URL });
    flow.take(ACCEPT);
    await world.pass(0);
    flow.leave();
    expect(flow.getView()).toEqual({ type: 'canceled', url: OWN_URL });
  });

  it.each<[string, Partial<FlowOptions>]>([
    ['an address with a slash at its end', { api: 'https://retention.acme.example/' }],
    ['limits that are not given', { limits: { start: undefined } }],
    ['a token that is empty', { customerToken: '', customer: { id: 'cus_1' } }],
  ])('takes %s', async (_, options) => {
    const { flow } = flowOf([{ ...started(), after: 100 }], options);
    flow.start();
    await world.pass(100);
    expect(flow.getView().type).toBe('node');
    expect(world.requests).toMatchObject([{ path: '/init' }]);
    expect(world.requests[0].body).not.toHaveProperty('customer_token');
  });

  it('tells all listeners, and lets the customer go when one cannot show what comes', async () => {
    const { flow, views } = flowOf([started()], { cancelUrl: OWN_URL });
    const later: string[] = [];
    flow.subscribe(() => {
      if (flow.getView().type === 'node') throw new Error('no such component');
    });
    flow.subscribe(() => later.push(flow.getView().type));
    flow.start();
    await world.pass(0);
    expect([views.at(-1), later]).toEqual([{ type: 'left', url: OWN_URL, reason: 'unreadable' }, ['node', 'left']]);
  });

  it('leads nowhere but to http and https', async () => {
    const { flow } = await at(OFFER_NODE, [state({ ...SAVED, redirect_url: 'javascript:alert(1)' })]);
    flow.take(ACCEPT);
    await world.pass(0);
    expect(flow.getView()).toMatchObject({ type: 'saved', acceptUrl: undefined });
  });

  it('ignores what is entered before there is a page, and after the end', async () => {
    const { flow } = await at(OFFER_NODE, [state(KEPT)]);
    flow.take({ action: 'keep' });
    await world.pass(0);
    flow.note({ months: 2 });
    expect(world.items.size).toBe(0);
    flowOf([]).flow.note({ months: 2 });
  });

  it.each<[string, Partial<FlowOptions>, string]>([
    ["its own cancel page, else the service's", { cancelUrl: OWN_URL }, OWN_URL],
    ["the service's where it has none of its own", {}, CANCEL_URL],
  ])('leads to %s', async (_, options, url) => {
    const { flow, views } = await at(CONFIRM_NODE, [state(CANCELED)], options);
    flow.take({ action: 'confirm' });
    await world.pass(0);
    expect(views.at(-1)).toEqual({ type: 'canceled', url });
    expect(views.map(({ type }) => type)).not.toContain('nothing');
  });

  it('says when the subscription ends, and where the customer goes on', async () => {
    const { flow } = await at(CONFIRM_NODE, [state({ ...CANCELED, closing: CLOSING })], { cancelUrl: OWN_URL });
    flow.take({ action: 'confirm' });
    await world.pass(0);
    expect(flow.getView()).toEqual({ type: 'canceled', url: OWN_URL, closing: CLOSING });
    flow.close();
    expect(flow.getView()).toEqual({ type: 'nothing' });
  });

  it.each<[string, Reply, string]>([
    ['is away', FAILS, 'network'],
    ['is frozen', HANGS, 'timeout'],
    ['is over its limit', problem(403, 'session_limit_reached'), 'session_limit_reached'],
  ])('lets the customer go when the service %s', async (_, reply, reason) => {
    const { flow } = flowOf([reply, reply], { cancelUrl: OWN_URL });
    flow.start();
    await world.pass(2500);
    expect(flow.getView()).toEqual({ type: 'left', url: OWN_URL, reason });
  });

  it('waits as long as it is told to', async () => {
    const { flow } = flowOf([HANGS], { cancelUrl: OWN_URL, limits: { start: 1000 } });
    flow.start();
    await world.pass(999);
    expect(flow.getView().type).toBe('starting');
    await world.pass(1);
    expect(flow.getView()).toEqual({ type: 'left', url: OWN_URL, reason: 'timeout' });
  });

  it('leaves at once if nothing has begun, and tells the service if a session has', async () => {
    const idle = flowOf([], { cancelUrl: OWN_URL });
    idle.flow.leave();
    expect([idle.flow.getView(), world.requests]).toEqual([{ type: 'canceled', url: OWN_URL }, []]);
    const { flow } = await at(OFFER_NODE, [HANGS], { cancelUrl: OWN_URL });
    flow.leave();
    flow.close();
    expect(flow.getView()).toMatchObject({ type: 'node', busy: { action: 'cancel' } });
    await world.pass(2500);
    expect(world.requests).toMatchObject([{ body: { action: 'cancel' }, keepalive: true }]);
    expect(flow.getView()).toEqual({ type: 'canceled', url: OWN_URL });
  });

  it('goes on with the session and what was entered after it was closed, and begins another after its end', async () => {
    const { flow } = await at(OFFER_NODE, [state(stateAt(OFFER_NODE)), state(KEPT), started()], {
      customer: { id: 'cus_1' },
    });
    flow.note({ months: 2 });
    flow.close();
    flow.start();
    await world.pass(0);
    const draft = { node_key: 'offer_1', months: 2 };
    expect(flow.getView()).toEqual({ type: 'node', node: OFFER_NODE, draft });
    flow.take({ action: 'keep' });
    await world.pass(0);
    flow.close();
    flow.start();
    await world.pass(0);
    expect(world.requests.map(({ path }) => path)).toEqual([`/${SESSION}`, `/${SESSION}/step`, '/init']);
  });

  it('shows an accepted offer that was confirmed after the dialog was closed', async () => {
    const { flow, views } = await at(OFFER_NODE, [{ ...state(SAVED), after: 1000 }]);
    flow.take(ACCEPT);
    flow.close();
    expect(flow.getView()).toEqual({ type: 'nothing' });
    await world.pass(1000);
    expect(views.at(-1)).toMatchObject({ type: 'saved', acceptedOffer: ACCEPTED_OFFER });
    flow.close();
    expect(flow.getView()).toEqual({ type: 'nothing' });
  });

  it('tries a step again that did not get through', async () => {
    const { flow } = await at(OFFER_NODE, [FAILS, state(SAVED)]);
    flow.take(ACCEPT);
    await world.pass(0);
    expect(flow.getView()).toMatchObject({ type: 'node', alert: 'not_confirmed' });
    flow.retry();
    await world.pass(0);
    expect(flow.getView().type).toBe('saved');
  });

  it('stores nothing, and starts nothing, for a session that exists already', async () => {
    const { flow } = flowOf([state(stateAt(OFFER_NODE))], { sessionId: SESSION });
    flow.start();
    await world.pass(0);
    expect([flow.getView(), world.items.size]).toEqual([{ type: 'node', node: OFFER_NODE }, 0]);
  });
});
