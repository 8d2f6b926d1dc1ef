import {
  conditionOn,
  firstCondition,
  NONE_SEEN,
  readValue,
  readValues,
  unseenValues,
  writtenValue,
} from './condition-values';

it.each([
  ['pro', 'pro'],
  [' pro ', 'pro'],
  ['10', 10],
  ['-2.5', -2.5],
  ['007', '007'],
  ['"10"', '10'],
  ['true', true],
  ['null', null],
  ['Team, large', 'Team, large'],
  ['"open', '"open'],
  ['', ''],
])('%j is read as %j', (text, value) => expect(readValue(text)).toBe(value));

it('Values with commas between them are read one by one', () =>
  expect(readValues('pro, "a, b" ,10,, team')).toEqual(['pro', 'a, b', 10, 'team']));

it.each([['pro'], ['10'], [10], [true], ['true'], [null], ['null'], ['a, b'], [' x'], ['"q"'], [''], ['"'], ['1e3']])(
  'What is written of %j is read as the same, alone and in a list',
  (value) => {
    expect(readValue(writtenValue(value))).toBe(value);
    expect(readValues(writtenValue([value, 'last']))).toEqual([value, 'last']);
  },
);

it('A new condition asks for the plan with a value that customers had, or else for another attribute of theirs', () => {
  const first = (seen: [string, (string | number | null)[]][]) =>
    firstCondition({ ...NONE_SEEN, attributes: new Map(seen) });
  expect(
    first([
      ['seats', [3]],
      ['plan', ['Pro', 'Team']],
    ]),
  ).toEqual({ attribute: 'plan', is: '=', value: 'Pro' });
  expect(
    first([
      ['email', []],
      ['seats', [3]],
    ]),
  ).toEqual({ attribute: 'seats', is: '=', value: 3 });
  expect(first([['coupon', [null]]])).toEqual({ attribute: 'coupon', is: '=', value: null });
  expect(first([])).toEqual({ attribute: 'plan', is: '=', value: 'pro' });
});

it('A new condition asks for the plan as the service knows it, where it knows it', () => {
  const facts = new Map([['plan', ['Pro']]]);
  expect(firstCondition({ ...NONE_SEEN, facts })).toEqual({ fact: 'plan', is: '=', value: 'Pro' });
  expect(conditionOn('months', facts)).toEqual({ fact: 'months', is: '>=', value: 6 });
  expect(conditionOn('ends', facts)).toEqual({ fact: 'ends', is: '=', value: true });
});

it('A value that hardly a customer had is one in other letters, too', () => {
  const seen = new Map<string, (string | null)[]>([
    ['plan', ['Pro', 'Team']],
    ['coupon', [null, 'A']],
  ]);
  expect(unseenValues(seen, 'coupon', null)).toEqual([]);
  expect(unseenValues(seen, 'plan', 'pro')).toEqual(['Pro', 'Team']);
  expect(unseenValues(seen, 'plan', ['pro', 'Team'])).toEqual([]);
  expect(unseenValues(seen, 'seats', 3)).toEqual([]);
});
