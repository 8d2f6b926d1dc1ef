import { verdict, weightShare } from './intervals';

const way = (name: string, interval: number[] | null) => ({
  name,
  interval: { accepted_offer: interval, not_canceled: null },
});

describe('The ways of a split', () => {
  it.each<[string, (number[] | null)[], string]>([
    [
      'are apart',
      [
        [0.1, 0.2],
        [0.3, 0.4],
      ],
      '“b” saves more than “a”',
    ],
    [
      'overlap',
      [
        [0.1, 0.3],
        [0.2, 0.4],
      ],
      'No difference is shown yet',
    ],
    [
      'touch',
      [
        [0.1, 0.2],
        [0.2, 0.4],
      ],
      'No difference is shown yet',
    ],
    [
      'are three, and one is above all',
      [
        [0.1, 0.3],
        [0.2, 0.3],
        [0.5, 0.6],
      ],
      '“c” saves more than every other way',
    ],
    [
      'are three, and the best two overlap',
      [
        [0.1, 0.2],
        [0.4, 0.6],
        [0.5, 0.7],
      ],
      'Some ways differ',
    ],
    ['have no sessions that ended', [null, [0.1, 0.2]], 'Fewer than two ways'],
  ])('say in words when their intervals %s', (_, intervals, expected) => {
    expect(verdict(intervals.map((interval, index) => way('abc'[index], interval)))).toContain(expected);
  });

  it('get a share by weight', () => {
    const ways = [{ weight: 1 }, { weight: 3 }];
    expect(ways.map((one) => weightShare(one, ways))).toEqual([0.25, 0.75]);
    expect(weightShare({ weight: 0 }, [{ weight: 0 }])).toBeNull();
  });
});
