import type { FlowDefinition } from '@retention-flow/client';
import { withAnswersOf } from './answers';

const branch = (...all: object[]) =>
  ({
    entry: 'why',
    nodes: [{ key: 'which', type: 'branch', config: { ways: [{ when: { all }, next: 'a' }] }, next: 'b' }],
  }) as unknown as FlowDefinition;

describe('Conditions on a survey', () => {
  it.each([
    [
      { is: '=', value: 'price' },
      { is: 'includes', value: 'price' },
    ],
    [
      { is: '!=', value: 'price' },
      { is: 'not_in', value: ['price'] },
    ],
    [
      { is: 'in', value: ['price'] },
      { is: 'in', value: ['price'] },
    ],
    [{ is: 'exists' }, { is: 'exists' }],
  ])('ask for one of several answers once it takes them: %j', (before, after) => {
    const other = { answer: 'other', is: '=', value: 'price' };
    const plan = { attribute: 'plan', is: '=', value: 'pro' };
    const inner = (condition: object) => ({ any: [{ answer: 'why', ...condition }] });
    expect(withAnswersOf(branch({ answer: 'why', ...before }, inner(before), other, plan), 'why', true)).toEqual(
      branch({ answer: 'why', ...after }, inner(after), other, plan),
    );
  });

  it('ask for the answer once it takes one again', () => {
    const includes = branch({ answer: 'why', is: 'includes', value: 'price' });
    expect(withAnswersOf(includes, 'why', false)).toEqual(branch({ answer: 'why', is: '=', value: 'price' }));
  });
});
