import type { HeldAudiences } from './conditions';
import type { Facts } from './facts';
import type { AnswerCondition, Condition, ConditionValue } from './condition.dto';
import type { Json } from '../platform/common/json';
import { holds, type KnownOfCustomer } from './holds';

const attributes: Record<string, ConditionValue> = { plan: 'pro', seats: 10, trial: false, coupon: null, text: '10' };
const facts: Facts = { months: 7, discounted: false, plan: 'Pro' };
const audiences: HeldAudiences = {
  pros: { all: [{ attribute: 'plan', is: '=', value: 'pro' }] },
  guests: { any: [{ attribute: 'plan', is: '=', value: 'guest' }] },
};
const RESULTS: [string, Json][] = [
  ['nps', { score: 9, why: ['price', 'support'], note: null }],
  ['seats', 3],
];
const known = {
  attributes,
  facts,
  audiences,
  answers: new Map([['reason', ['price']]]),
  results: new Map<string, Json>(RESULTS),
};
const meets = (condition: Condition, of: KnownOfCustomer = known) => holds({ all: [condition] }, of);

describe('A condition', () => {
  it.each<[Condition, boolean]>([
    [{ attribute: 'plan', is: '=', value: 'pro' }, true],
    [{ attribute: 'plan', is: '=', value: 'Pro' }, false],
    [{ attribute: 'seats', is: '=', value: '10' }, false],
    [{ attribute: 'text', is: '=', value: '10' }, true],
    [{ attribute: 'trial', is: '=', value: false }, true],
    [{ attribute: 'coupon', is: '=', value: null }, true],
    [{ attribute: 'coupon', is: '!=', value: null }, false],
    [{ attribute: 'plan', is: '!=', value: 'free' }, true],
    [{ attribute: 'seats', is: '!=', value: '10' }, true],
    [{ attribute: 'plan', is: 'in', value: ['team', 'pro'] }, true],
    [{ attribute: 'seats', is: 'in', value: ['10', 9] }, false],
    [{ attribute: 'plan', is: 'not_in', value: ['team', 'free'] }, true],
    [{ attribute: 'plan', is: 'not_in', value: ['team', 'pro'] }, false],
    [{ attribute: 'seats', is: '<', value: 10 }, false],
    [{ attribute: 'seats', is: '<=', value: 10 }, true],
    [{ attribute: 'seats', is: '>', value: 9.5 }, true],
    [{ attribute: 'seats', is: '>=', value: 10.5 }, false],
    [{ attribute: 'text', is: '>', value: 1 }, false],
    [{ attribute: 'coupon', is: '<', value: 1 }, false],
    [{ attribute: 'trial', is: '<', value: 1 }, false],
    [{ attribute: 'coupon', is: 'exists' }, true],
    [{ audience: 'pros' }, true],
    [{ audience: 'guests' }, false],
    [{ audience: 'gone' }, false],
    [{ audience: 'constructor' }, false],
    [{ fact: 'months', is: '>=', value: 7 }, true],
    [{ fact: 'months', is: '<', value: 7 }, false],
    [{ fact: 'discounted', is: '=', value: false }, true],
    [{ fact: 'plan', is: 'in', value: ['Pro', 'Team'] }, true],
    [{ fact: 'amount', is: '!=', value: 1 }, false],
    [{ fact: 'amount', is: 'exists' }, false],
    [{ answer: 'reason', is: '=', value: 'price' }, true],
    [{ answer: 'reason', is: 'in', value: ['other'] }, false],
    [{ answer: 'reason', is: 'includes', value: 'price' }, true],
    [{ answer: 'reason', is: 'includes', value: 'other' }, false],
    [{ answer: 'reason', is: 'exists' }, true],
    [{ result: 'nps.score', is: '>=', value: 9 }, true],
    [{ result: 'nps.score', is: '=', value: '9' }, false],
    [{ result: 'nps.why.1', is: 'in', value: ['support'] }, true],
    [{ result: 'nps.why.2', is: 'exists' }, false],
    [{ result: 'nps.why.length', is: 'exists' }, false],
    [{ result: 'nps.note', is: '=', value: null }, true],
    [{ result: 'nps.why', is: 'exists' }, true],
    [{ result: 'nps.constructor', is: 'exists' }, false],
    [{ result: 'nps.score.toFixed', is: 'exists' }, false],
    [{ result: 'seats', is: '=', value: 3 }, true],
    [{ result: 'seats.0', is: 'exists' }, false],
    [{ result: 'other', is: 'exists' }, false],
  ])('%j: %s', (condition, expected) => {
    expect(meets(condition)).toBe(expected);
  });

  it.each(['=', '!=', 'in', 'not_in', '<', '<=', '>', '>=', 'exists'] as const)(
    'about what is not known is false: %s',
    (is) => {
      const value = is === 'in' || is === 'not_in' ? ['x'] : 1;
      for (const attribute of ['missing', 'constructor', '__proto__', 'toString']) {
        expect(meets({ attribute, is, value })).toBe(false);
      }
    },
  );

  it.each(['=', '!=', 'in', 'not_in', 'includes', 'exists'] as const)(
    'on an answer that was not given is false: %s',
    (is) => {
      expect(meets({ answer: 'constructor', is, value: 'x' })).toBe(false);
    },
  );

  it.each<[AnswerCondition['is'], string | string[] | undefined, boolean]>([
    ['=', 'price', false],
    ['!=', 'price', true],
    ['in', ['bugs', 'other'], true],
    ['in', ['other'], false],
    ['not_in', ['other'], true],
    ['not_in', ['other', 'bugs'], false],
    ['includes', 'bugs', true],
    ['includes', 'other', false],
    ['exists', undefined, true],
  ])('on the answers price and bugs: %s %j is %s', (is, value, expected) => {
    const several = { ...known, answers: new Map([['reason', ['price', 'bugs']]]) };
    expect(meets({ answer: 'reason', is, ...(value && { value }) }, several)).toBe(expected);
  });

  it('sees an attribute that is called like a property of every object', () => {
    const own = { ...known, attributes: JSON.parse('{"__proto__": 1}') as typeof attributes };
    expect(meets({ attribute: '__proto__', is: '=', value: 1 }, own)).toBe(true);
  });
});

describe('A group of conditions', () => {
  const [yes, no]: Condition[] = [
    { attribute: 'plan', is: 'exists' },
    { attribute: 'missing', is: 'exists' },
  ];

  it('holds if all, or any, of its members do, groups among them', () => {
    expect(holds({ all: [yes, yes] }, known)).toBe(true);
    expect(holds({ all: [yes, no] }, known)).toBe(false);
    expect(holds({ any: [no, yes] }, known)).toBe(true);
    expect(holds({ any: [no, no] }, known)).toBe(false);
    expect(holds({ all: [yes, { any: [no, yes] }] }, known)).toBe(true);
    expect(holds({ any: [no, { all: [yes, no] }] }, known)).toBe(false);
  });
});
