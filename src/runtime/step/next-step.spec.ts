import fc from 'fast-check';
import { customerAttributes, definitions, OFFER_IDS } from '../../../test/support/definitions';
import { MemorySession, offersOf } from '../../../test/support/memory-session';
import { isSilent, nodeOf, shownNodeOf } from '../../flows/graph/flow-definition';
import { composeDefinition } from '../../flows/graph/simple-definition';
import { aheadOf } from './ahead';
import { STEP_ACTIONS } from '../../sessions/session-step.entity';
import { mayBeRepeated, nextStep, type Step } from './next-step';

const simple = (...offers: string[]) =>
  new MemorySession(composeDefinition(offers), new Map(offers.map((id) => [id, `${id} as shown`])));

const options = fc.nat(4).map((n) => `option_${n}`);

const steps: fc.Arbitrary<Step> = fc.record(
  {
    node_key: fc.nat(13).map((n) => `node_${n}`),
    action: fc.constantFrom(...STEP_ACTIONS),
    option: options,
    options: fc.uniqueArray(options, { minLength: 1, maxLength: 3 }),
    comment: fc.constantFrom('', 'too dear'),
  },
  { requiredKeys: ['action'] },
);

const sessions = fc
  .tuple(definitions, fc.subarray(OFFER_IDS), fc.string(), customerAttributes)
  .map(([definition, offers, ...customer]) => {
    return new MemorySession(definition, new Map(offers.map((id) => [id, id])), ...customer);
  });

describe('A session', () => {
  it('is walked from the start over survey and offers to canceled', () => {
    const session = simple('a', 'b');
    session.here('continue');
    session.here('answer', { option: 'too_expensive', comment: 'way too dear' });
    expect(session.position).toMatchObject({ node_key: 'offer_1', presented_offer: { heading: 'a as shown' } });
    session.here('decline');
    expect(session.position).toMatchObject({ node_key: 'offer_2', presented_offer: { heading: 'b as shown' } });
    session.here('decline');
    session.here('confirm');
    expect(session.position).toMatchObject({ status: 'canceled', presented_offer: null, accepted_offer: null });
    expect(session.taken.map(({ action, offer }) => [action, offer?.heading])).toEqual([
      ['continue', undefined],
      ['answer', undefined],
      ['decline', 'a as shown'],
      ['decline', 'b as shown'],
      ['confirm', undefined],
    ]);
  });

  it('is saved by accepting, with exactly the offer that was shown', () => {
    const session = simple('a');
    session.here('continue');
    session.here('answer', { option: 'other' });
    session.offers.set('a', 'a as edited meanwhile');
    session.here('accept');
    expect(session.position).toMatchObject({ status: 'saved', accepted_offer: { heading: 'a as shown' } });
  });

  it('passes by offers that cannot be presented any more', () => {
    const session = simple('a', 'b');
    session.offers.delete('a');
    session.here('continue');
    session.here('answer', { option: 'other' });
    expect(session.position.node_key).toBe('offer_2');
  });

  it('still has an offer accepted that was archived after it was shown', () => {
    const session = simple('a');
    session.here('continue');
    session.here('answer', { option: 'other' });
    session.offers.clear();
    session.here('accept');
    expect(session.position.accepted_offer?.heading).toBe('a as shown');
  });

  it.each<[string, Step, string]>([
    ['an action of another node', { node_key: 'start', action: 'accept' }, 'action'],
    ['no node', { action: 'continue' }, 'node_key'],
    ['a node that is not in the flow', { node_key: 'nowhere', action: 'continue' }, 'node_key'],
    ['an option where there is no survey', { node_key: 'start', action: 'continue', option: 'other' }, 'option'],
    ['a comment where none is taken', { node_key: 'start', action: 'continue', comment: 'hm' }, 'comment'],
    ['a comment with cancel', { action: 'cancel', comment: 'hm' }, 'comment'],
    ['an option with keep', { action: 'keep', option: 'other' }, 'option'],
  ])('does not take %s', (_, step, field) => {
    const session = simple();
    expect(session.take(step)).toMatchObject({ kind: 'invalid', field });
    expect(session.taken).toEqual([]);
  });

  it.each([undefined, 'nonsense'])('does not take the answer %s to a survey', (option) => {
    const session = simple();
    session.here('continue');
    expect(session.here('answer', { option })).toMatchObject({ kind: 'invalid', field: 'option' });
  });

  it('takes no blank comment where one is required', () => {
    const definition = composeDefinition([]);
    const session = new MemorySession({
      ...definition,
      nodes: definition.nodes.map((node) =>
        node.type === 'survey' ? { ...node, config: { ...node.config, comment: 'required' } } : node,
      ),
    });
    session.here('continue');
    expect(session.here('answer', { option: 'other', comment: ' ' })).toMatchObject({
      kind: 'invalid',
      field: 'comment',
    });
    expect(session.here('answer', { option: 'other', comment: 'x' })).toMatchObject({ kind: 'taken' });
  });

  it('gives the same answer to the same step, however far it went since', () => {
    const session = simple('a');
    session.here('continue');
    const answer = session.here('answer', { option: 'other' });
    session.here('decline');
    session.here('confirm');
    const again = session.take({ node_key: 'reason', action: 'answer', option: 'other' });
    expect(again).toMatchObject({ kind: 'repeated', position: (answer as { position: unknown }).position });
    expect(session.take({ node_key: 'confirm', action: 'confirm' })).toMatchObject({
      kind: 'repeated',
      position: session.position,
    });
  });

  it('takes no other answer for a node that is behind, ahead, or after the end', () => {
    const session = simple('a');
    session.here('continue');
    session.here('answer', { option: 'other' });
    expect(session.take({ node_key: 'reason', action: 'answer', option: 'not_using' }).kind).toBe('conflict');
    expect(session.take({ node_key: 'confirm', action: 'confirm' }).kind).toBe('conflict');
    session.here('accept');
    expect(session.take({ action: 'cancel' }).kind).toBe('conflict');
  });

  it('can be left from anywhere, whatever node the customer believes to be at', () => {
    fc.assert(
      fc.property(
        sessions,
        fc.array(steps),
        fc.constantFrom('cancel' as const, 'keep' as const),
        (session, walk, action) => {
          for (const step of walk) session.take(step);
          fc.pre(session.position.status === 'in_progress');
          expect(session.take({ node_key: 'node_0', action }).kind).toBe('taken');
          expect(session.position.status).toBe(action === 'cancel' ? 'canceled' : 'saved');
        },
      ),
    );
  });

  it('always stands at a node of its version or has one outcome, and logs each node once', () => {
    fc.assert(
      fc.property(sessions, fc.array(steps, { maxLength: 40 }), (session, walk) => {
        for (const step of walk) {
          const before = structuredClone(session.position);
          const result = session.take(step);
          if (result.kind !== 'taken') expect(session.position).toEqual(before);
          if (before.status !== 'in_progress') expect(session.position).toEqual(before);
          const { status, node_key, presented_offer, accepted_offer } = session.position;
          const node = nodeOf(session.definition, node_key);
          expect(node).toBeDefined();
          expect(isSilent(node)).toBe(false);
          expect(presented_offer !== null).toBe(status === 'in_progress' && node.type === 'offer');
          if (accepted_offer !== null) expect(status).toBe('saved');
        }
        expect(new Set(session.taken.map(({ node_key }) => node_key)).size).toBe(session.taken.length);
      }),
    );
  });

  it('gives the same answer when any step is sent twice', () => {
    fc.assert(
      fc.property(sessions, fc.array(steps, { maxLength: 40 }), (session, walk) => {
        for (const step of walk) {
          const first = session.take(step);
          if (first.kind !== 'taken') continue;
          expect(session.take(step)).toMatchObject({ kind: 'repeated', position: first.position });
        }
      }),
    );
  });

  it('needs its earlier steps only for a step that may be repeated or pass a silent node, and the offers ahead of it only', () => {
    fc.assert(
      fc.property(sessions, fc.array(steps, { maxLength: 40 }), (session, walk) => {
        for (const step of walk) {
          const { definition, position, taken, offers, context } = session;
          const { offers: ahead, hasSilentNodes } = aheadOf(definition, step, false);
          const earlier = mayBeRepeated(position, step) || hasSilentNodes ? taken : [];
          const needed = offersOf(new Map([...offers].filter(([id]) => ahead.includes(id))));
          const result = nextStep(definition, position, earlier, step, { ...context, offers: needed });
          expect(result).toEqual(session.take(step));
        }
      }),
    );
  });

  it('comes to its end by going on, whatever is chosen, whoever the customer is, and whatever offers are archived', () => {
    fc.assert(
      fc.property(sessions, fc.infiniteStream(fc.nat(20)), (session, choices) => {
        const choose = <T>(from: T[]) => from[(choices.next().value as number) % from.length];
        for (let n = 0; session.position.status === 'in_progress'; n++) {
          expect(n).toBeLessThan(session.definition.nodes.length);
          const node = shownNodeOf(session.definition, session.position.node_key);
          if (node.type === 'survey') {
            const comment = node.config.comment && 'because';
            const { value: option } = choose(node.config.options);
            const { value: other } = choose(node.config.options);
            const answer = node.config.multiple ? { options: [...new Set([option, other])] } : { option };
            expect(session.here('answer', { ...answer, comment }).kind).toBe('taken');
          } else {
            const onward = {
              start: 'continue',
              offer: choose(['accept', 'decline']),
              confirm: 'confirm',
              custom: 'answer',
            } as const;
            expect(session.here(onward[node.type] as Step['action']).kind).toBe('taken');
          }
        }
      }),
    );
  });
});
