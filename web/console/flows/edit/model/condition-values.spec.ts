import { readValue, readValues, writtenValue } from './condition-values';

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
