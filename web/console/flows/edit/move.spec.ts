import { moved, placeAt } from './move';

it('A row moves up and down, and the others close up', () => {
  const list = ['a', 'b', 'c', 'd'];
  expect([moved(list, 0, 2), moved(list, 3, 1), moved(list, 1, 1)].map((one) => one.join(''))).toEqual([
    'bcad',
    'adbc',
    'abcd',
  ]);
});

it.each([
  [5, 0, 0],
  [25, 0, 1],
  [99, 0, 2],
  [5, 2, 0],
  [25, 2, 2],
  [15, 2, 1],
])('A pointer at %d drags row %d to place %d', (y, from, to) => expect(placeAt(y, [10, 20, 30], from)).toBe(to));
