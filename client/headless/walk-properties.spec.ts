import fc from 'fast-check';
import { ACCEPTED_OFFER, CANCEL_URL, problem, RUBBISH, state, stateAt } from './walk-answers.ts';
import { type Reply, type SentRequest, TestWorld, WatchedWalk } from './walk-world.ts';

const NODES = ['start', 'survey', 'offer', 'confirm'].map((type) => ({ key: type, type, config: { title: type } }));
const ONWARD = ['continue', 'answer', 'decline'];

interface Session {
  id: string;
  node: number;
  status: 'in_progress' | 'saved' | 'canceled';
  accepted: boolean;
  steps: { sent: string; node: number }[];
}

/** What the network does with a request: whether it gets to the service, and what comes back. */
type Fault = { arrives: boolean; reply?: Reply; after: number };

const faults: fc.Arbitrary<Fault> = fc.record({
  arrives: fc.boolean(),
  reply: fc.option(
    fc.constantFrom<Reply>(
      { network: 'fails' },
      { network: 'hangs' },
      RUBBISH,
      { status: 502, body: '' },
      { status: 404, body: '<html>' },
      problem(408, 'request_timeout'),
      problem(409, 'conflict', {}, { 'retry-after': '1' }),
      problem(429, 'too_many_requests', {}, { 'retry-after': '2' }),
      problem(500, 'internal_error'),
      problem(503, 'service_unavailable', {}, { 'retry-after': '1' }),
    ),
    { nil: undefined },
  ),
  after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 })),
});

/** Two requests of three go well; otherwise hardly any walk would get far. */
const network = fc.infiniteStream(
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: faults }),
);

/** A service with one flow: start, survey, offer, confirm. It answers as the real one does. */
class TestService {
  readonly sessions = new Map<string, Session>();
  started = 0;
  /** How often a session was lost. */
  lost = 0;
  private readonly keys = new Map<string, string>();

  constructor(private readonly network: Iterator<Fault | undefined>) {}

  answer = (request: SentRequest): Reply => {
    const fault = this.network.next().value as Fault | undefined;
    if (!fault) return this.handle(request);
    const reply = fault.arrives || !fault.reply ? this.handle(request) : fault.reply;
    return { ...(fault.reply ?? reply), after: fault.after };
  };

  /** Loses every session, as after a restore of an older backup. */
  lose(): void {
    if (this.sessions.size > 0) this.lost++;
    this.sessions.clear();
    this.keys.clear();
  }

  private handle({ method, path, key, body }: SentRequest): Reply {
    if (path === '/init') return this.start(key!);
    const session = this.sessions.get(path.split('/')[1]);
    if (!session) return problem(404, 'session_not_found');
    if (method === 'GET') return state(stateOf(session));
    const sent = JSON.stringify(body);
    const earlier = session.steps.findIndex((step) => step.sent === sent);
    if (earlier >= 0) return state(this.after(session, earlier));
    if (session.status !== 'in_progress') return conflict(session);
    const { action, node_key } = body as { action: string; node_key?: string };
    const leaves = action === 'cancel' || action === 'keep';
    if (!leaves && node_key !== NODES[session.node].key) return conflict(session);
    session.steps.push({ sent, node: session.node });
    if (action === 'cancel' || action === 'confirm') session.status = 'canceled';
    else if (!ONWARD.includes(action)) Object.assign(session, { status: 'saved', accepted: action === 'accept' });
    else session.node++;
    return state(stateOf(session));
  }

  private start(key: string): Reply {
    const id = this.keys.get(key) ?? `session-${++this.started}`;
    this.keys.set(key, id);
    if (!this.sessions.has(id)) {
      this.sessions.set(id, { id, node: 0, status: 'in_progress', accepted: false, steps: [] });
    }
    return { status: 201, body: { session_id: id, flow: { name: 'A flow', entry_node: NODES[0] } } };
  }

  /** Where a step that was taken before led then. */
  private after(session: Session, index: number): object {
    const following = session.steps.at(index + 1);
    return following ? stateAt(NODES[following.node]) : stateOf(session);
  }
}

function stateOf({ node, status, accepted }: Session): object {
  if (status === 'in_progress') return stateAt(NODES[node]);
  const redirect_url = status === 'canceled' ? CANCEL_URL : null;
  return stateAt(null, { status, redirect_url, accepted_offer: accepted ? ACCEPTED_OFFER : null });
}

function conflict(session: Session): Reply {
  return problem(409, 'step_conflict', { session: stateOf(session), cancellation_url: CANCEL_URL });
}

type Act = 'step' | 'accept' | 'keep' | 'confirm' | 'retry' | 'lose' | number;

/** What happens besides the customer's last wish: steps, the loss of all sessions, or milliseconds that go by. */
const acts = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Act>('step') },
    { weight: 2, arbitrary: fc.constantFrom<Act>('accept', 'keep', 'retry') },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 5000 }) },
    { weight: 1, arbitrary: fc.constant<Act>('lose') },
  ),
  { maxLength: 14 },
);

async function act(what: Act, { walk, view }: WatchedWalk, world: TestWorld, service: TestService): Promise<void> {
  if (typeof what === 'number') return world.pass(what);
  if (what === 'lose') service.lose();
  else if (what === 'retry') walk.retry();
  else if (what !== 'step') walk.take({ action: what });
  else if (view?.type === 'node') {
    const onward = {
      start: 'continue',
      survey: 'answer',
      offer: 'decline',
      confirm: 'keep',
      custom: 'answer',
    } as const;
    walk.take({ action: onward[view.node.type] });
  }
  return world.pass(0);
}

/** Everything that holds at any time. */
function check(watched: WatchedWalk, world: TestWorld, service: TestService, mayLead: boolean): void {
  const { views, ends, viewsAtEnd } = watched;
  const wasShown = views.some(({ type }) => type === 'node');
  const end = ends.at(0);
  expect(ends.length).toBeLessThanOrEqual(1);
  expect(service.started).toBeLessThanOrEqual(1 + service.lost);
  if (end) {
    expect(world.timers).toBe(0);
    expect(views.slice(viewsAtEnd).filter(({ type }) => type !== 'nothing')).toEqual([]);
    expect(views[viewsAtEnd - 1].type).toMatch(end.outcome === 'saved' ? /saved|nothing/ : /nothing/);
  }
  if (views.some(({ type }) => type === 'saved')) expect(end?.outcome).toBe('saved');
  if (end?.outcome === 'unavailable') expect(wasShown).toBe(false);
  if (!mayLead) expect(end?.outcome).not.toBe('canceled');
}

/** A walk and its world; `saved` at its end is checked against the service at that moment. */
function begin(faults: Iterator<Fault | undefined>) {
  const world = new TestWorld();
  const service = new TestService(faults);
  world.service = service.answer;
  const saved = new Set<string>();
  const answer = world.service;
  world.service = (request) => {
    const reply = answer(request);
    for (const { id, status } of service.sessions.values()) if (status === 'saved') saved.add(id);
    return reply;
  };
  return { world, service, saved, watched: new WatchedWalk(world) };
}

describe('Whatever fails, and whatever the customer does', () => {
  it('the start shows a node or ends within 2.5 s', () =>
    fc.assert(
      fc.asyncProperty(fc.infiniteStream(faults), async (faults) => {
        const { world, service, watched } = begin(faults);
        watched.walk.start();
        await world.pass(2500);
        expect(watched.views.some(({ type }) => type === 'node') || watched.ends.length === 1).toBe(true);
        check(watched, world, service, false);
      }),
    ));

  it('no step but cancel and confirm leads away, and only the service says "saved"', () =>
    fc.assert(
      fc.asyncProperty(network, acts, async (faults, acts) => {
        const { world, service, watched, saved } = begin(faults);
        watched.walk.start();
        for (const what of acts) {
          await act(what, watched, world, service);
          check(watched, world, service, false);
        }
        await world.pass(60_000);
        check(watched, world, service, false);
        const end = watched.ends.at(0);
        if (end?.outcome === 'saved') expect(saved).toContain(end.sessionId);
      }),
      { numRuns: 250 },
    ));

  it('the customer who asks to leave has left within 2.5 s', () =>
    fc.assert(
      fc.asyncProperty(network, acts, fc.boolean(), async (faults, acts, byConfirm) => {
        const { world, service, watched } = begin(faults);
        watched.walk.start();
        for (const what of acts) await act(what, watched, world, service);
        const wasOver = watched.ends.length > 0;
        if (byConfirm) watched.walk.take({ action: 'confirm' });
        watched.walk.leave();
        await world.pass(2500);
        check(watched, world, service, true);
        expect(watched.ends).toHaveLength(1);
        if (!wasOver) expect(watched.ends[0].outcome).toBe('canceled');
        await world.pass(60_000);
        check(watched, world, service, true);
      }),
      { numRuns: 250 },
    ));

  it('the customer who closes is told of nothing else, and the host within 3 s', () =>
    fc.assert(
      fc.asyncProperty(network, acts, async (faults, acts) => {
        const { world, service, watched, saved } = begin(faults);
        watched.walk.start();
        for (const what of acts) await act(what, watched, world, service);
        const wasOver = watched.ends.length > 0;
        watched.walk.close();
        expect(watched.view).toEqual({ type: 'nothing' });
        const shown = watched.views.length;
        await world.pass(3000);
        check(watched, world, service, false);
        expect(watched.views.slice(shown).filter(({ type }) => type !== 'nothing')).toEqual([]);
        expect(watched.ends).toHaveLength(1);
        const { outcome, sessionId } = watched.ends[0];
        if (!wasOver) expect(['closed', 'saved']).toContain(outcome);
        if (outcome === 'saved') expect(saved).toContain(sessionId);
      }),
    ));

  it('reloads go on with one session', () =>
    fc.assert(
      fc.asyncProperty(
        network,
        fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 5 }),
        async (faults, times) => {
          const { world, service } = begin(faults);
          for (const time of [...times, 3000]) {
            const watched = new WatchedWalk(world);
            watched.walk.start();
            await world.pass(time);
            const { view } = watched;
            if (view?.type === 'node' && view.node.type !== 'confirm') await act('step', watched, world, service);
          }
          expect(service.started).toBeLessThanOrEqual(1);
        },
      ),
    ));
});
