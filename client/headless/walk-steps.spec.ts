import type { WalkOptions } from './walk.ts';
import type { FlowNode, Step } from './types.ts';
import {
  ACCEPTED_OFFER,
  BAD_GATEWAY,
  BUSY,
  CANCEL_URL,
  CANCELED,
  CONFIRM_NODE,
  FAILS,
  GONE,
  HANGS,
  KEPT,
  OFFER_NODE,
  problem,
  RUBBISH,
  CLOSING,
  CONTACTED,
  SAVED,
  SESSION,
  started,
  state,
  stateAt,
  SURVEY_NODE,
} from './walk-answers.ts';
import { type Reply, TestWorld, WatchedWalk } from './walk-world.ts';

/** The first new key. */
const KEY = 'key-of-16-characters-1';
const NAME = 'retention-flow ["https://retention.acme.example","leaving-acme-pro-k3v9x2mq",null]';
const ANSWER = { action: 'answer', option: 'too_expensive', comment: 'Twice the price of last year.' } as const;
const ACCEPT = { action: 'accept' } as const;
const MINUTE = 60_000;

let world: TestWorld;

beforeEach(() => {
  world = new TestWorld();
});

/** A walk that shows this node, of a session that was begun before; the service gives the replies to what follows. */
async function at(node: FlowNode | { type: string }, replies: Reply[], options?: Partial<WalkOptions>) {
  world.items.set(NAME, JSON.stringify({ key: 'an earlier key of this tab', session: SESSION }));
  world.answers(state(stateAt(node)), ...replies);
  const watched = new WatchedWalk(world, options);
  watched.walk.start();
  await world.pass(1000);
  watched.views.length = world.requests.length = 0;
  return watched;
}

/** Takes a step and waits for what comes at once. */
async function take(watched: WatchedWalk, step: Omit<Step, 'node_key'>): Promise<void> {
  watched.walk.take(step);
  await world.pass(0);
}

const conflict = (session: object): Reply => problem(409, 'step_conflict', { session, cancellation_url: CANCEL_URL });
const steps = () => world.requests.map(({ body }) => body);
const isStored = () => world.items.has(NAME);

describe('A step', () => {
  it('leads to the next node; while it is under way the node stays, busy', async () => {
    const watched = await at(SURVEY_NODE, [{ ...state(stateAt(OFFER_NODE)), after: 100 }]);
    watched.walk.take(ANSWER);
    const busy = { node_key: 'reason', ...ANSWER };
    await world.pass(100);
    expect(watched.views).toEqual([
      { type: 'node', node: SURVEY_NODE, busy },
      { type: 'node', node: OFFER_NODE },
    ]);
    expect(world.requests).toMatchObject([{ method: 'POST', path: `/${SESSION}/step`, body: busy, keepalive: false }]);
    expect(world.timers).toBe(0);
  });

  it('is ignored while another is under way, and before there is a node', async () => {
    const watched = await at(SURVEY_NODE, [HANGS]);
    watched.walk.take(ANSWER);
    watched.walk.take({ action: 'keep' });
    watched.walk.retry();
    expect(world.requests).toHaveLength(1);
    const early = new WatchedWalk(new TestWorld());
    early.walk.take(ANSWER);
    early.walk.note({ option: 'other' });
    early.walk.retry();
    expect(early.views).toEqual([]);
  });

  it('may lead to a node of a type that came after this widget', async () => {
    const node = { key: 'call', type: 'call', config: { title: 'Talk to us' } };
    const watched = await at(SURVEY_NODE, [state(stateAt(node))]);
    await take(watched, ANSWER);
    expect(watched.view).toEqual({ type: 'node', node });
  });
});

describe.each<[string, Omit<Step, 'node_key'>, string]>([
  ['decline', { action: 'decline' }, 'not_sent'],
  ['accept', ACCEPT, 'not_confirmed'],
  ['keep', { action: 'keep' }, 'not_confirmed'],
])('%s, when something throws,', (_, step, alert) => {
  it('stays where the customer is, if the page has a fetch that returns nothing', async () => {
    const { fetch } = world;
    let isBroken = false;
    world.fetch = ((...request) => (isBroken ? Promise.resolve() : fetch(...request))) as typeof fetch;
    const watched = await at(OFFER_NODE, []);
    isBroken = true;
    await take(watched, step);
    await world.pass(250);
    expect(watched.ends).toEqual([]);
    expect(watched.view).toEqual({ type: 'node', node: OFFER_NODE, alert });
  });

  it('stays where the customer is, if the dialog cannot show what came', async () => {
    let isBroken = false;
    const shown: unknown[] = [];
    const watched = await at(OFFER_NODE, [state(stateAt(SURVEY_NODE)), state(stateAt(CONFIRM_NODE))], {
      onView: (view) => {
        if (isBroken && view.type === 'node' && view.node.key === SURVEY_NODE.key) throw new Error('broken');
        shown.push(view);
      },
    });
    isBroken = true;
    await take(watched, step);
    expect(watched.ends).toEqual([]);
    expect(shown.at(-1)).toEqual({ type: 'node', node: OFFER_NODE, alert });
    watched.walk.retry();
    await world.pass(0);
    expect(shown.at(-1)).toEqual({ type: 'node', node: CONFIRM_NODE });
  });
});

describe.each<[string, Omit<Step, 'node_key'>, FlowNode]>([
  ['continue', { action: 'continue' }, { key: 'start', type: 'start', config: { title: 'Before you go' } }],
  ['answer', ANSWER, SURVEY_NODE as unknown as FlowNode],
  ['decline', { action: 'decline' }, OFFER_NODE],
])('%s', (_, step, node) => {
  it.each<[string, Reply]>([
    ['the network', FAILS],
    ['408', problem(408, 'request_timeout')],
    ['500', problem(500, 'internal_error')],
    ['502', BAD_GATEWAY],
    ['rubbish', RUBBISH],
    ['no node', state(stateAt(null))],
    ['a node without content', state(stateAt({ key: 'x', type: 'start' }))],
    ['a node with empty content', state(stateAt({ key: 'x', type: 'start', config: null }))],
  ])('is sent once more by itself after a failure: %s', async (_, reply) => {
    const watched = await at(node, [reply, state(stateAt(CONFIRM_NODE))]);
    watched.walk.take(step);
    await world.pass(250);
    expect(watched.view).toEqual({ type: 'node', node: CONFIRM_NODE });
    expect(steps()).toEqual([
      { node_key: node.key, ...step },
      { node_key: node.key, ...step },
    ]);
  });

  it.each<[string, Reply[], number]>([
    ['it fails twice', [FAILS, FAILS], 250],
    ['the service is frozen', [HANGS, HANGS], 6000],
    ['one try takes 3 s and the other fails', [HANGS, FAILS], 3250],
    ['it is refused', [problem(400, 'invalid_request')], 0],
    ['there were too many', [problem(429, 'too_many_requests', {}, { 'retry-after': '30' })], 0],
    ['the service is not what it was', [{ status: 404, body: '<html>' }], 0],
  ])('stays with an alert when %s', async (_, replies, after) => {
    const watched = await at(node, replies);
    watched.walk.take(step);
    if (after) await world.pass(after - 1);
    expect(watched.views).toHaveLength(1);
    await world.pass(1);
    expect(watched.view).toEqual({ type: 'node', node, alert: 'not_sent' });
    await world.pass(MINUTE);
    expect(watched.ends).toEqual([]);
    expect(steps()).toHaveLength(replies.length);
    expect(world.timers).toBe(0);
  });
});

describe('A failed step', () => {
  it('is sent again on retry, as it was, and then the alert is gone', async () => {
    const watched = await at(SURVEY_NODE, [FAILS, FAILS, { ...state(stateAt(OFFER_NODE)), after: 10 }]);
    watched.walk.take(ANSWER);
    await world.pass(MINUTE);
    watched.walk.retry();
    expect(watched.view).toEqual({ type: 'node', node: SURVEY_NODE, busy: { node_key: 'reason', ...ANSWER } });
    await world.pass(10);
    expect(watched.view).toEqual({ type: 'node', node: OFFER_NODE });
    expect(new Set(steps().map((step) => JSON.stringify(step))).size).toBe(1);
    watched.walk.retry();
    expect(steps()).toHaveLength(3);
  });

  it('can be replaced by another, and the customer can cancel', async () => {
    const watched = await at(SURVEY_NODE, [problem(400, 'invalid_request'), HANGS, state(CANCELED)]);
    await take(watched, ANSWER);
    await take(watched, { action: 'answer', option: 'other' });
    expect(steps()[1]).toEqual({ node_key: 'reason', action: 'answer', option: 'other' });
    watched.walk.leave();
    await world.pass(0);
    expect(watched.ends).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('waits for a Retry-After that fits', async () => {
    const watched = await at(SURVEY_NODE, [BUSY, state(stateAt(OFFER_NODE))]);
    watched.walk.take(ANSWER);
    await world.pass(1000);
    expect(watched.view).toEqual({ type: 'node', node: OFFER_NODE });
  });
});

describe('An offer that leads somewhere', () => {
  const acceptUrl = 'https://acme.example/upgrade';

  it('tells where, and that is not where to cancel', async () => {
    const watched = await at(OFFER_NODE, [state({ ...SAVED, redirect_url: acceptUrl })]);
    await take(watched, { action: 'accept' });
    expect(watched.ends).toEqual([
      { outcome: 'saved', sessionId: SESSION, reason: 'offer_accepted', acceptedOffer: ACCEPTED_OFFER, acceptUrl },
    ]);
  });

  it('goes on to the next node when its limit refuses it', async () => {
    const watched = await at(OFFER_NODE, [problem(409, 'offer_not_available', { session: stateAt(CONFIRM_NODE) })]);
    await take(watched, { action: 'accept' });
    expect(watched.view).toEqual({ type: 'node', node: CONFIRM_NODE });
    expect(watched.ends).toEqual([]);
  });
});

describe('An accepted offer that is no save', () => {
  const ended = { outcome: 'contacted', sessionId: SESSION, reason: 'offer_accepted', acceptedOffer: ACCEPTED_OFFER };

  it('is told at once, and shows what comes now until the customer closes it', async () => {
    const watched = await at(OFFER_NODE, [state(CONTACTED)]);
    await take(watched, ACCEPT);
    expect(watched.view).toEqual({ type: 'contacted', closing: CLOSING });
    expect(watched.ends).toEqual([ended]);
    expect([isStored(), world.timers]).toEqual([false, 0]);
    watched.walk.close();
    watched.walk.note({ comment: 'Late' });
    expect([watched.view, watched.ends.length, isStored()]).toEqual([{ type: 'nothing' }, 1, false]);
  });

  it('still lets the customer leave, and tells the service', async () => {
    const watched = await at(OFFER_NODE, [state({ ...CONTACTED, cancellation_url: CANCEL_URL }), state(CANCELED)]);
    await take(watched, ACCEPT);
    watched.walk.take({ action: 'cancel' });
    watched.walk.leave();
    expect(watched.view).toEqual({ type: 'starting' });
    await world.pass(0);
    const left = { outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL };
    expect(watched.ends).toEqual([{ ...ended, cancellationUrl: CANCEL_URL }, left]);
    expect(steps().slice(1)).toEqual([{ action: 'cancel' }]);
    expect(watched.view).toEqual({ type: 'nothing' });
  });

  it('lets the customer leave within 2.5 s when the service is frozen then', async () => {
    const watched = await at(OFFER_NODE, [state(CONTACTED), HANGS]);
    await take(watched, ACCEPT);
    watched.walk.leave();
    await world.pass(2500);
    expect(watched.ends).toEqual([ended, { outcome: 'canceled', sessionId: SESSION }]);
  });

  it('is shown by the next walk if its answer was lost', async () => {
    const watched = await at(OFFER_NODE, [HANGS]);
    watched.walk.take(ACCEPT);
    await world.pass(MINUTE);
    expect(watched.view).toMatchObject({ alert: 'not_confirmed' });
    world.answers(state(CONTACTED));
    const next = new WatchedWalk(world);
    next.walk.start();
    await world.pass(0);
    expect([next.view, next.ends]).toEqual([{ type: 'contacted', closing: CLOSING }, [ended]]);
  });
});

describe.each(['accept', 'keep'] as const)('%s', (action) => {
  const body = action === 'accept' ? SAVED : KEPT;
  const end = action === 'accept' ? { reason: 'offer_accepted', acceptedOffer: ACCEPTED_OFFER } : { reason: 'kept' };

  it('tells the host at once when it is confirmed, and thanks until the customer closes', async () => {
    const watched = await at(OFFER_NODE, [state(body)]);
    await take(watched, { action });
    const thanks = { type: 'saved', closing: action === 'accept' ? CLOSING : undefined };
    expect(watched.view).toEqual(thanks);
    expect(watched.ends).toEqual([{ outcome: 'saved', sessionId: SESSION, ...end }]);
    expect(isStored()).toBe(false);
    await world.pass(MINUTE);
    watched.walk.leave();
    expect(watched.view).toEqual(thanks);
    watched.walk.close();
    watched.walk.close();
    expect(watched.views.slice(-2)).toEqual([thanks, { type: 'nothing' }]);
    expect(watched.ends).toHaveLength(1);
    expect(steps()).toHaveLength(1);
  });

  it.each<[string, Reply, number]>([
    ['the network fails', FAILS, 0],
    ['the service is frozen', HANGS, 3000],
    ['the service fails', problem(500, 'internal_error'), 0],
    ['the service is busy', BUSY, 0],
    ['a proxy has no service', BAD_GATEWAY, 0],
    ['the answer is rubbish', RUBBISH, 0],
    ['the answer says nothing', { status: 200, body: '{}' }, 0],
    ['it is refused', problem(400, 'invalid_request'), 0],
    ['there were too many', problem(429, 'too_many_requests', {}, { 'retry-after': '1' }), 0],
  ])('neither leads away nor claims anything when %s', async (_, reply, after) => {
    const watched = await at(OFFER_NODE, [reply, state(body)]);
    watched.walk.take({ action });
    await world.pass(after);
    expect(watched.view).toEqual({ type: 'node', node: OFFER_NODE, alert: 'not_confirmed' });
    expect(world.timers).toBe(0);
    await world.pass(MINUTE);
    expect(watched.ends).toEqual([]);
    expect(steps()).toHaveLength(1);
    watched.walk.retry();
    await world.pass(0);
    expect(steps()).toEqual([
      { node_key: 'offer_1', action },
      { node_key: 'offer_1', action },
    ]);
    expect(watched.ends).toMatchObject([{ outcome: 'saved' }]);
  });

  it('that was never confirmed is asked for by the next walk', async () => {
    const watched = await at(OFFER_NODE, [FAILS]);
    await take(watched, { action });
    watched.walk.close();
    expect(watched.ends).toEqual([{ outcome: 'closed', sessionId: SESSION }]);
    world.answers(state(body));
    const next = new WatchedWalk(world);
    next.walk.start();
    await world.pass(0);
    expect(next.ends).toMatchObject([{ outcome: 'saved', ...end }]);
  });
});

describe.each(['cancel', 'confirm'] as const)('%s', (action) => {
  const node_key = action === 'confirm' ? 'confirm' : undefined;

  it('leads to where the service says, by a request that outlives the page', async () => {
    const watched = await at(CONFIRM_NODE, [state(CANCELED)]);
    watched.walk.take({ action });
    expect(watched.view).toEqual({ type: 'node', node: CONFIRM_NODE, busy: { node_key, action } });
    await world.pass(0);
    expect(watched.ends).toEqual([{ outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL }]);
    expect(watched.view).toEqual({ type: 'nothing' });
    expect(world.requests).toMatchObject([{ body: { action }, keepalive: true }]);
    expect(isStored()).toBe(false);
  });

  it.each<[string, Reply, string | undefined]>([
    ['the network fails', FAILS, undefined],
    ['the service fails', problem(500, 'internal_error'), undefined],
    ['the session is gone', GONE, undefined],
    ['the answer is rubbish', RUBBISH, undefined],
    ['there were too many', problem(429, 'too_many_requests', {}, { 'retry-after': '1' }), undefined],
    ['the session has ended as canceled', conflict(CANCELED), CANCEL_URL],
    ['the session has ended as saved', conflict(SAVED), CANCEL_URL],
  ])('leads away all the same when %s', async (_, reply, cancellationUrl) => {
    const watched = await at(CONFIRM_NODE, [reply]);
    await take(watched, { action });
    expect(watched.ends).toEqual([{ outcome: 'canceled', sessionId: SESSION, cancellationUrl }]);
    await world.pass(MINUTE);
    expect(steps()).toHaveLength(1);
  });

  it.each<['leave' | 'close', object]>([
    ['leave', {}],
    ['close', { stays: true }],
  ])('shows when the subscription ends, until the customer goes on: %s', async (goesOn, end) => {
    const watched = await at(CONFIRM_NODE, [state({ ...CANCELED, closing: CLOSING })]);
    await take(watched, { action });
    expect(watched.view).toEqual({ type: 'canceled', closing: CLOSING, url: CANCEL_URL });
    expect(watched.ends).toEqual([]);
    expect(isStored()).toBe(false);
    watched.walk[goesOn]();
    watched.walk.leave();
    watched.walk.close();
    const ended = { outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL };
    expect(watched.ends).toEqual([{ ...ended, ...end }]);
    expect(watched.view).toEqual({ type: 'nothing' });
    expect(steps()).toHaveLength(1);
  });

  it('leads away after 2.5 s when the service is frozen, and lets the request end', async () => {
    const watched = await at(CONFIRM_NODE, [{ ...state(CANCELED), after: 10_000 }]);
    watched.walk.take({ action });
    await world.pass(2499);
    watched.walk.leave();
    watched.walk.close();
    watched.walk.take({ action });
    expect(watched.ends).toEqual([]);
    await world.pass(1);
    expect(watched.ends).toEqual([{ outcome: 'canceled', sessionId: SESSION }]);
    await world.pass(MINUTE);
    expect(world.requests).toMatchObject([{ isAborted: false }]);
    expect(watched.ends).toHaveLength(1);
    expect(watched.view).toEqual({ type: 'nothing' });
  });
});

describe('The cancel link', () => {
  it.each<Omit<Step, 'node_key'>>([ACCEPT, { action: 'decline' }])('works while $action is under way', async (step) => {
    const watched = await at(OFFER_NODE, [
      { ...state(SAVED), after: 100 },
      { ...state(CANCELED), after: 200 },
    ]);
    await take(watched, step);
    watched.walk.leave();
    await world.pass(MINUTE);
    expect(world.requests).toMatchObject([{ isAborted: true }, { body: { action: 'cancel' }, keepalive: true }]);
    expect(watched.ends).toMatchObject([{ outcome: 'canceled', cancellationUrl: CANCEL_URL }]);
    expect(watched.views.some(({ type }) => type === 'saved')).toBe(false);
  });

  it('leads to where the service said before, if it says nothing now', async () => {
    const watched = await at(OFFER_NODE, [conflict(stateAt(CONFIRM_NODE)), problem(500, 'internal_error')]);
    await take(watched, ACCEPT);
    watched.walk.leave();
    await world.pass(0);
    expect(watched.end).toEqual({ outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL });
  });

  it('works while a step waits for its second try', async () => {
    const watched = await at(OFFER_NODE, [FAILS, state(CANCELED)]);
    await take(watched, { action: 'decline' });
    watched.walk.leave();
    await world.pass(MINUTE);
    expect(steps()).toEqual([{ node_key: 'offer_1', action: 'decline' }, { action: 'cancel' }]);
    expect(world.timers).toBe(0);
  });
});

describe('A conflict, such as with a duplicate of the tab', () => {
  it.each<Omit<Step, 'node_key'>>([ACCEPT, { action: 'decline' }])('goes on from there after $action', async (step) => {
    const watched = await at(OFFER_NODE, [conflict(stateAt(CONFIRM_NODE))]);
    await take(watched, step);
    expect(watched.view).toEqual({ type: 'node', node: CONFIRM_NODE });
    expect(watched.ends).toEqual([]);
  });

  it('thanks if the session has ended as saved', async () => {
    const watched = await at(OFFER_NODE, [conflict(SAVED)]);
    await take(watched, { action: 'decline' });
    expect(watched.view).toEqual({ type: 'saved', closing: CLOSING });
    expect(watched.ends).toEqual([
      {
        outcome: 'saved',
        sessionId: SESSION,
        reason: 'offer_accepted',
        acceptedOffer: ACCEPTED_OFFER,
        cancellationUrl: CANCEL_URL,
      },
    ]);
  });

  it('ends as canceled if the session has', async () => {
    const watched = await at(OFFER_NODE, [conflict(CANCELED)]);
    await take(watched, { action: 'decline' });
    expect(watched.ends).toEqual([{ outcome: 'canceled', sessionId: SESSION, cancellationUrl: CANCEL_URL }]);
  });

  it('without a session is a failure', async () => {
    const watched = await at(OFFER_NODE, [problem(409, 'conflict', {}, { 'retry-after': '1' })]);
    await take(watched, { action: 'decline' });
    expect(watched.view).toMatchObject({ alert: 'not_sent' });
  });
});

describe('A session that is gone', () => {
  it.each<Omit<Step, 'node_key'>>([ACCEPT, { action: 'decline' }])(
    'is replaced by one new session: $action',
    async (step) => {
      const watched = await at(OFFER_NODE, [GONE, started('another'), GONE, GONE]);
      await take(watched, step);
      expect(watched.view).toMatchObject({ type: 'node', node: { key: 'start' } });
      expect(JSON.parse(world.items.get(NAME)!)).toEqual({ key: KEY, session: 'another' });
      await take(watched, { action: 'keep' });
      watched.walk.retry();
      await world.pass(MINUTE);
      expect(watched.view).toMatchObject({ type: 'node', alert: 'not_confirmed' });
      expect(world.requests.map(({ path }) => path)).toEqual([
        `/${SESSION}/step`,
        '/init',
        '/another/step',
        '/another/step',
      ]);
      expect(watched.ends).toEqual([]);
    },
  );

  it('stays with an alert when no new one can be started; retry asks again with the same key', async () => {
    const watched = await at(OFFER_NODE, [GONE, FAILS, FAILS, started('another')]);
    watched.walk.take(ACCEPT);
    await world.pass(MINUTE);
    expect(watched.view).toEqual({ type: 'node', node: OFFER_NODE, alert: 'not_confirmed' });
    watched.walk.retry();
    await world.pass(0);
    expect(watched.view).toMatchObject({ type: 'node', node: { key: 'start' } });
    expect(world.requests.slice(1).map(({ key }) => key)).toEqual([KEY, KEY, KEY]);
  });

  it('lets the customer leave at once, and cancels the new one if it comes', async () => {
    const watched = await at(OFFER_NODE, [GONE, { ...started('another'), after: 100 }]);
    await take(watched, ACCEPT);
    watched.walk.leave();
    expect(watched.ends).toMatchObject([{ outcome: 'canceled' }]);
    await world.pass(100);
    expect(world.requests[2]).toMatchObject({ path: '/another/step', body: { action: 'cancel' } });
  });

  it('lets the customer close at once', async () => {
    const watched = await at(OFFER_NODE, [GONE]);
    await take(watched, ACCEPT);
    watched.walk.close();
    expect(watched.ends).toEqual([{ outcome: 'closed' }]);
  });

  it('is replaced, too, when it is older than a day, and says so; that of a given id ends', async () => {
    const EXPIRED = problem(409, 'session_expired');
    const watched = await at(OFFER_NODE, [EXPIRED, started('another')]);
    await take(watched, ACCEPT);
    expect(watched.view).toMatchObject({ type: 'node', node: { key: 'start' }, alert: 'restarted' });
    const given = await at(OFFER_NODE, [EXPIRED], { sessionId: SESSION });
    await take(given, ACCEPT);
    expect(given.ends).toMatchObject([{ outcome: 'unavailable', reason: 'session_ended' }]);
  });

  it('is not replaced if it was given', async () => {
    const watched = await at(OFFER_NODE, [GONE], { sessionId: SESSION });
    await take(watched, ACCEPT);
    expect(watched.view).toMatchObject({ alert: 'not_confirmed' });
    expect(world.requests).toHaveLength(1);
  });
});

describe('Closing', () => {
  it.each<[string, (watched: WatchedWalk) => unknown]>([
    ['at a node', () => {}],
    ['while a step is under way', (watched) => take(watched, { action: 'decline' })],
  ])('leaves the session open for the next time: %s', async (_, before) => {
    const watched = await at(OFFER_NODE, [{ ...state(stateAt(CONFIRM_NODE)), after: 100 }]);
    await before(watched);
    watched.walk.close();
    expect(watched.ends).toEqual([{ outcome: 'closed', sessionId: SESSION }]);
    await world.pass(MINUTE);
    expect(watched.view).toEqual({ type: 'nothing' });
    expect(isStored()).toBe(true);
    expect(world.timers).toBe(0);
  });

  it('while starting shows nothing any more, and cancels nothing', async () => {
    world.answers({ ...started(), after: 100 });
    const watched = new WatchedWalk(world);
    watched.walk.start();
    watched.walk.close();
    await world.pass(MINUTE);
    expect(watched.views).toEqual([{ type: 'nothing' }]);
    expect(watched.ends).toEqual([{ outcome: 'closed' }]);
    expect(world.requests).toHaveLength(1);
    expect(JSON.parse(world.items.get(NAME)!)).toEqual({ key: KEY });
  });

  it.each<[string, Reply, object]>([
    ['is confirmed', { ...state(SAVED), after: 100 }, { outcome: 'saved', acceptedOffer: ACCEPTED_OFFER }],
    ['fails', { network: 'fails', after: 100 }, { outcome: 'closed' }],
    ['finds no session', { ...GONE, after: 100 }, { outcome: 'closed' }],
    ['leads elsewhere', { ...conflict(stateAt(CONFIRM_NODE)), after: 100 }, { outcome: 'closed' }],
    ['comes after a cancel elsewhere', { ...conflict(CANCELED), after: 100 }, { outcome: 'closed' }],
    ['hangs', HANGS, { outcome: 'closed' }],
  ])('waits, out of sight, for an accept that is under way: it %s', async (_, reply, end) => {
    const watched = await at(OFFER_NODE, [reply]);
    await take(watched, ACCEPT);
    watched.walk.close();
    watched.walk.close();
    expect(watched.view).toEqual({ type: 'nothing' });
    expect(watched.ends).toEqual([]);
    await world.pass(3000);
    expect(watched.ends).toMatchObject([end]);
    expect(watched.views.slice(1).every(({ type }) => type === 'nothing')).toBe(true);
    expect(world.requests).toHaveLength(1);
  });

  it('does not prevent a click that cancels, while an accept is awaited', async () => {
    const watched = await at(OFFER_NODE, [HANGS, state(CANCELED)]);
    await take(watched, ACCEPT);
    watched.walk.close();
    watched.walk.leave();
    await world.pass(MINUTE);
    expect(watched.ends).toMatchObject([{ outcome: 'canceled' }]);
    expect(watched.views.slice(1).every(({ type }) => type === 'nothing')).toBe(true);
  });
});
