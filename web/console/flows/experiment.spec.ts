import type { Flow, FlowDefinition } from '@retention-flow/client';
import {
  type Arm,
  doubtsOf,
  endedBy,
  endedWith,
  goesOn,
  knownOf,
  type Pair,
  type Split,
  weightShare,
  winnerOf,
  wordsOf,
} from './experiment';

const arm = (name: string, customers: number, more: object = {}): Arm =>
  ({ name, weight: 50, customers, without_customer: 0, seen_once: 0, ...more }) as Arm;

/** Two arms of which the first saves more, by a difference that is probably at least and at most so much. */
const pair = (a: string, b: string, result: string, difference = 0, low = 0, high = 0) =>
  ({
    a,
    b,
    result,
    saved: { difference, interval: [low, high] },
    canceled: { difference: 0, interval: [-1, 1] },
  }) as Pair;

const verdict = (result: string, better: string | null = null, worse: string | null = null): Split['verdict'] =>
  ({ result, better, worse, method: 'planned', since: result === 'apart' ? '2026-11-21' : null }) as Split['verdict'];
const plan = (day: number, days = 30): Split['plan'] => ({ days, day, bound: 3, over: day >= days });

/** With two arms, the verdict is what their pair says. */
const split = (arms: Arm[] | null, pairs: Pair[] | null, more: object = {}): Split => ({
  node_key: 'test',
  from_version: 1,
  to_version: 2,
  since: '2026-11-09T09:30:00.000Z',
  plan: null,
  arms,
  pairs,
  verdict: pairs?.length
    ? verdict(pairs[0].result, ...(pairs[0].result === 'apart' ? [pairs[0].a, pairs[0].b] : []))
    : null,
  short: null,
  ...more,
});

const two = [arm('a', 200), arm('b', 200)];
const three = [arm('none', 900), arm('b25', 900), arm('b30', 900)];
const apart = [pair('b', 'a', 'apart', 0.1, 0.03, 0.17)];

describe('What an experiment says', () => {
  it('names the arm that saves more, since when that is known, and that the difference looks too large', () => {
    expect(knownOf(split(two, apart), 10)).toBe(
      'Found on Nov 21, 2026: “b” saves more customers than “a”. Of 100 customers, “b” may save 3 to 17 more than “a”. ' +
        'A fresh win often looks too big: plan on the low end. Of 100 tests of equal arms, 5 name a winner.',
    );
  });

  it('names the arm that saves more than each other, though a pair is not apart', () => {
    const pairs = [pair('b25', 'none', 'apart', 0.1, 0.03, 0.17), pair('b30', 'b25', 'not_apart', 0.1, -0.01, 0.21)];
    const said = split(three, pairs, { verdict: verdict('apart', 'b30', 'b25') });
    expect(knownOf(said, 10)).toContain('“b30” saves more customers than each other arm');
    expect(winnerOf(said)).toBe('b30');
    expect(winnerOf(split(three, pairs, { verdict: verdict('not_apart') }))).toBeUndefined();
  });

  it('is when to look again while there are too few customers, at the rate so far', () => {
    const arms = [arm('a', 80), arm('b', 40), arm('over', 1, { weight: 0 })];
    const few = [pair('a', 'b', 'too_few')];
    expect(knownOf(split(arms, few), 10)).toContain(
      'No comparison before 100 customers in each arm. At this traffic, a first look comes in 15 days.',
    );
    expect(knownOf(split([arm('a', 1)], few), 10)).toContain('that takes more than a year');
    expect(knownOf(split([arm('a', 0)], few), 10)).toBe('No comparison before 100 customers in each arm.');
  });

  const OPEN = 'It is not clear which arm saves more. Of 100 customers, “b” may save 3 fewer to 23 more than “a”.';

  it('is what it would take while no difference is shown, if more customers may show one', () => {
    // The interval reaches 0.13 down from a difference of 0.1: 1.69 times as many customers.
    const open = [pair('b', 'a', 'not_apart', 0.1, -0.03, 0.23)];
    expect(knownOf(split(two, open), 10)).toBe(
      `${OPEN} If the true lead is 10 of 100, a winner may show in about 7 days, or not at all.`,
    );
    // In a plan, the bound falls, too: 1.3 times as many.
    expect(knownOf(split(two, open, { plan: plan(11) }), 11)).toBe(
      `Day 11 of 30. ${OPEN} If the true lead is 10 of 100, a winner may show in about 4 days, or not at all.`,
    );
    expect(knownOf(split(two, open, { plan: plan(29) }), 29)).toContain(
      'expect no winner by day 30. Let it run until then.',
    );
    expect(knownOf(split(two, open, { plan: plan(30) }), 30)).toBe(
      `The planned 30 days are up; the test still runs. ${OPEN} Choose the arm that costs you less, or let it run, which may take long.`,
    );
    const close = [pair('b', 'a', 'not_apart', 0.001, -0.1, 0.1)];
    expect(knownOf(split(two, close), 10)).toContain('more customers will hardly show a difference');
    const equal = [pair('a', 'b', 'not_apart', 0, -0.1, 0.1)];
    expect(knownOf(split(two, equal), 10)).toContain('more customers will hardly show a difference');
  });

  it('is no advice to wait where nobody comes any more', () => {
    expect(knownOf(split(two, [pair('b', 'a', 'not_apart', 0.1, -0.03, 0.23)]), undefined)).toBe(OPEN);
    expect(knownOf(split(two, [pair('b', 'a', 'too_few')]), undefined)).toBe(
      'No comparison before 100 customers in each arm.',
    );
  });

  it('is about the arms between which it is open, not about one that has lost', () => {
    const pairs = [pair('a', 'c', 'apart', 0.2, 0.1, 0.3), pair('a', 'b', 'not_apart', 0.01, -0.05, 0.07)];
    const said = knownOf(split(three, pairs, { verdict: verdict('not_apart') }), 10);
    expect(said).toContain('Of 100 customers, “a” may save 5 fewer to 7 more than “b”.');
    expect(said).not.toContain('neither');
  });

  it('is that neither is better, where the arm that saves more is canceled more, too', () => {
    expect(knownOf(split(two, [pair('b', 'a', 'not_apart', 0.2, 0.1, 0.3)]), 10)).toBe(
      '“b” saves more customers than “a”, but more cancel, too: in “a”, more close the window. So neither is better.',
    );
  });

  it('is that it ended, if one arm has all customers', () => {
    const arms = [arm('a', 400), arm('b', 0, { weight: 0 })];
    expect(knownOf(split(arms, []), 10)).toBe('All customers get “a”: the test ended.');
  });

  it('is nothing where customers are divided wrongly, or were deleted', () => {
    const short = split(two, [pair('a', 'b', 'sample_ratio_mismatch')], { short: 'b' });
    expect(knownOf(short, 10)).toContain('“b” got fewer customers than its share');
    expect(knownOf(split(null, null), 10)).toContain('were deleted');
  });
});

describe('A pair of arms', () => {
  it('is a sentence with the difference and its interval', () => {
    expect([
      wordsOf(pair('b', 'a', 'apart', 0.1, 0.03, 0.17)),
      wordsOf(pair('b', 'a', 'not_apart', 0.02, -0.03, 0.07)),
      wordsOf(pair('b', 'a', 'too_few')),
    ]).toEqual([
      '“b” saves more customers than “a”: +10 points, between +3 points and +17 points.',
      'No difference between “b” and “a” is shown yet: +2 points, between -3 points and +7 points.',
      '“b” and “a”: too early to say.',
    ]);
  });
});

describe('A test that ends', () => {
  const definition = {
    entry: 'test',
    nodes: [
      {
        key: 'test',
        type: 'split',
        config: {
          salt: 'mine',
          ways: [
            { name: 'a', weight: 1, next: 'sure' },
            { name: 'b', weight: 3, next: 'sure' },
          ],
        },
      },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  } as FlowDefinition;

  it('leaves one arm its weight and the others none; nothing else changes', () => {
    const weights = JSON.stringify(definition).replace('"weight":1', '"weight":0');
    expect(JSON.stringify(endedWith(definition, 'test', 'b'))).toBe(weights);
  });

  it('is not to be found under another key, or with another arm', () => {
    expect([endedWith(definition, 'sure', 'b'), endedWith(definition, 'test', 'c')]).toEqual([undefined, undefined]);
  });

  it('went on while a published flow had it, with the same arms', () => {
    const goes = (given: Split, status = 'published', others: Split[] = []) =>
      goesOn(given, [given, ...others], { status, definition } as Flow);
    const running = split([arm('b', 200, { weight: 3 }), arm('a', 200, { weight: 1 })], apart);
    expect(goes(running)).toBe(true);
    expect([
      goes(running, 'archived'),
      goes(running, 'published', [{ ...running, from_version: 3, to_version: 3 }]),
      goes(split(two, apart)),
      goes({ ...running, node_key: 'sure' }),
    ]).toEqual([false, false, false, false]);
  });
});

it('A test between several arms ended when everybody gets one of them', () => {
  const definition = (...weights: number[]): FlowDefinition => ({
    entry: 'test',
    nodes: [
      {
        key: 'test',
        type: 'split',
        config: { ways: weights.map((weight, index) => ({ name: 'ab'[index], weight, next: 'sure' })) },
      },
      { key: 'sure', type: 'confirm', config: { title: 'Sure?' } },
    ],
  });
  const ended = (given: Split, ...weights: number[]) => endedBy(given, { definition: definition(...weights) });
  expect(ended(split(two, apart), 0, 1)).toBe('b');
  expect(ended(split(two, apart), 1, 1)).toBeUndefined();
  expect(ended(split([arm('a', 200), arm('b', 200, { weight: 0 })], []), 1, 0)).toBeUndefined();
  expect(ended(split(two, apart, { node_key: 'other' }), 0, 1)).toBeUndefined();
});

describe('What makes an experiment doubtful', () => {
  it('is more than one session of ten without a customer', () => {
    const anonymous = (without_customer: number) => doubtsOf(split([arm('a', 100, { without_customer })], []), []);
    expect(anonymous(10)).toEqual([]);
    expect(anonymous(11)).toEqual([expect.stringMatching(/^11 sessions without a customer are not counted/)]);
  });

  it('is that nine of ten customers came once and unsigned, as if each load of the page made a new id', () => {
    const once = (seen_once: number) => doubtsOf(split([arm('a', 1000, { seen_once })], []), []);
    expect(once(900)).toEqual([]);
    expect(once(901)).toEqual([expect.stringMatching(/^901 customers of 1000 came once and without a token/)]);
  });

  it('is that its arms were changed', () => {
    const [first, second] = [split(two, apart), split(two, apart, { from_version: 3, to_version: 3 })];
    expect(doubtsOf(first, [first, second])).toEqual([
      'The arms were changed before version 3, so these numbers are final.',
    ]);
    expect(doubtsOf(second, [first, second])).toEqual([]);
  });
});

it('The share of an arm is its weight among all', () => {
  const arms = [{ weight: 1 }, { weight: 3 }];
  expect(arms.map((one) => weightShare(one, arms))).toEqual([0.25, 0.75]);
  expect(weightShare({ weight: 0 }, [{ weight: 0 }])).toBeNull();
});
