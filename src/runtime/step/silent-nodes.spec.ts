import { MemorySession } from '../../../test/support/memory-session';
import type { FlowNode } from '../../flows/graph/flow-definition';
import { type Context, nextStep } from './next-step';

describe('A session behind a survey', () => {
  const survey: FlowNode = {
    key: 'reason',
    type: 'survey',
    config: {
      title: 'Why?',
      options: ['price', 'other'].map((value) => ({ value, label: value })),
    },
    next: 'who',
  };
  const who: FlowNode = {
    key: 'who',
    type: 'branch',
    config: {
      ways: [
        {
          when: {
            all: [
              { answer: 'reason', is: '=', value: 'price' },
              {
                any: [
                  { attribute: 'plan', is: 'in', value: ['pro', 'team'] },
                  { attribute: 'seats', is: '>=', value: 10 },
                ],
              },
            ],
          },
          next: 'test',
        },
      ],
    },
    next: 'confirm',
  };
  const arm = (name: string, next: string, weight = 1) => ({ name, weight, next });
  const split = (key: string, ...arms: ReturnType<typeof arm>[]): FlowNode => ({
    key,
    type: 'split',
    config: { ways: arms },
  });
  const offer = (key: string): FlowNode => ({ key, type: 'offer', config: { offer_id: key }, next: 'confirm' });
  const confirm: FlowNode = { key: 'confirm', type: 'confirm', config: { title: 'Sure?' } };
  const nodes = [
    survey,
    who,
    split('test', arm('a', 'again'), arm('never', 'never', 0)),
    split('again', arm('b', 'gone'), arm('never', 'never', 0)),
    { ...offer('gone'), next: 'half' } as FlowNode,
    offer('half'),
    offer('never'),
    confirm,
  ];
  const begin = (attributes: Context['attributes']) =>
    new MemorySession({ entry: 'reason', nodes }, new Map([['half', 'half as shown']]), 'customer', attributes);

  it('passes a branch, splits and an archived offer at once, and records the paths through the branch and the splits', () => {
    const customers: Context['attributes'][] = [{ plan: 'pro' }, { seats: 10 }];
    for (const attributes of customers) {
      const session = begin(attributes);
      const result = session.here('answer', { option: 'price' });
      expect(result).toMatchObject({ kind: 'taken', step: { ways: { who: '0', test: 'a', again: 'b' } } });
      expect(session.position).toMatchObject({ node_key: 'half', presented_offer: { heading: 'half as shown' } });
      session.here('decline');
      expect(session.taken.at(-1)!.ways).toBeUndefined();
    }
  });

  it('goes on where no path of a branch holds, and records `next`', () => {
    for (const [attributes, option] of [
      [{ plan: 'pro' }, 'other'],
      [{ plan: 'free' }, 'price'],
      [{}, 'price'],
    ] as const) {
      const session = begin(attributes);
      expect(session.here('answer', { option })).toMatchObject({ kind: 'taken', position: { node_key: 'confirm' } });
      expect(session.taken[0].ways).toEqual({ who: 'next' });
    }
  });

  it('gives the same answer to a step that is sent again after the attributes have changed', () => {
    const session = begin({ plan: 'pro' });
    const step = { node_key: 'reason', action: 'answer', option: 'price' } as const;
    session.take(step);
    const { definition, position, taken, context } = session;
    const repeated = nextStep(definition, position, taken, step, {
      ...context,
      visitor: 'other',
      attributes: {},
      facts: {},
      audiences: {},
      draws: {},
    });
    expect(repeated).toMatchObject({ kind: 'repeated', position });
  });

  it.each(['who', 'test'])('takes no step at the silent node %s', (node_key) => {
    const session = begin({});
    expect(session.take({ node_key, action: 'continue' })).toMatchObject({ kind: 'invalid', field: 'node_key' });
  });
});
