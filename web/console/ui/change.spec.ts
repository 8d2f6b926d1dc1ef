import { changeOf, pointsOf } from './change';

describe('A change since the time before', () => {
  it.each([
    [112, 100, '12% more than'],
    [50, 100, '50% less than'],
    [0, 4, '100% less than'],
    [100, 100, 'as much as'],
    [4, 0, undefined],
    [null, 4, undefined],
  ])('of a number, %s after %s, is "%s"', (now, then, words) => expect(changeOf(now, then)).toBe(words));

  it.each([
    [0.331, 0.3, '3.1 points higher than'],
    [0.3, 0.31, '1 point lower than'],
    [0.3, 0.3, 'the same as'],
    [0.3, null, undefined],
  ])('of a share, %s after %s, is "%s"', (now, then, words) => expect(pointsOf(now, then)).toBe(words));
});
