import fc from 'fast-check';
import { type Fault, faults, network, TestService } from './walk-service.ts';
import { TestWorld, WatchedWalk } from './walk-world.ts';

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
