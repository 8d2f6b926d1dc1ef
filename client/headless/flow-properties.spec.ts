import fc from 'fast-check';
import { createFlow, type View } from './flow.ts';
import { network, TestService } from './walk-service.ts';
import { TestWorld } from './walk-world.ts';

const CANCEL_URL = 'https://acme.example/cancel';

/** What a page does with a flow, in any order, or milliseconds that go by. */
const acts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('start' as const) },
    { weight: 4, arbitrary: fc.constant('step' as const) },
    { weight: 3, arbitrary: fc.constantFrom('accept' as const, 'keep' as const, 'retry' as const) },
    { weight: 2, arbitrary: fc.constantFrom('close' as const, 'note' as const, 'lose' as const) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 5000 }) },
  ),
  { maxLength: 16 },
);
const ONWARD = { start: 'continue', survey: 'answer', offer: 'decline', confirm: 'keep' } as const;

describe('Whatever fails, and whatever a page does with a flow', () => {
  it('the customer who asks to leave is led away within 2.5 s, and "saved" is what the service said', () =>
    fc.assert(
      fc.asyncProperty(
        network,
        acts,
        fc.constantFrom<'saved' | 'contacted'>('saved', 'contacted'),
        async (faults, acts, accepted) => {
          const world = new TestWorld();
          const service = new TestService(faults, accepted);
          const ended = new Set<string>();
          world.service = (request) => {
            const reply = service.answer(request);
            for (const { status } of service.sessions.values()) ended.add(status);
            return reply;
          };
          const flow = createFlow({ api: 'https://a.example', flow: 'a', cancelUrl: CANCEL_URL }, world);
          const views: View[] = [];
          flow.subscribe(() => views.push(flow.getView()));
          for (const what of acts) {
            const view = flow.getView();
            if (what === 'start' || what === 'close' || what === 'retry') flow[what]();
            else if (what === 'note') flow.note({ comment: 'a' });
            else if (what === 'lose') service.lose();
            else if (what === 'accept' || what === 'keep') flow.take({ action: what });
            else if (what === 'step' && view.type === 'node')
              flow.take({ action: ONWARD[view.node.type as keyof typeof ONWARD] });
            await world.pass(typeof what === 'number' ? what : 0);
          }
          flow.leave();
          await world.pass(2500);
          const last = flow.getView();
          expect(last).toMatchObject({ type: expect.stringMatching(/canceled|left/), url: CANCEL_URL });
          for (const type of ['saved', 'contacted'])
            if (views.some((view) => view.type === type)) expect(ended).toContain(type);
          await world.pass(60_000);
          expect(flow.getView().type).toMatch(/canceled|left|saved|contacted/);
          expect(world.timers).toBe(0);
        },
      ),
      { numRuns: 400 },
    ));
});
