import { barAt, barsOf, type Day, labelled, linesOf, rateOf, roundSteps } from './day-scale';

const days = (count: number): Day[] =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    sessions: 10,
    saved: 3,
    canceled: 5,
  }));

describe('A chart of days', () => {
  it('has a bar for each day', () => {
    const bars = barsOf(days(90));
    expect(bars).toHaveLength(90);
    expect(bars[1]).toEqual({ from: '2026-01-02', to: '2026-01-02', sessions: 10, saved: 3, canceled: 5, other: 2 });
  });

  it('has a bar for each week of a year, and loses no session', () => {
    const bars = barsOf(days(365));
    expect(bars).toHaveLength(53);
    expect(bars.at(-1)).toEqual({
      from: '2026-12-25',
      to: '2026-12-31',
      sessions: 70,
      saved: 21,
      canceled: 35,
      other: 14,
    });
    expect([bars[0].from, bars[0].to]).toEqual(['2026-01-01', '2026-01-01']);
    expect(bars.reduce((total, { sessions }) => total + sessions, 0)).toBe(3650);
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])('for at most %i has round steps on its axis', (max, steps) => expect(roundSteps(max)).toEqual(steps));

  it.each([
    [7, 280, [0, 1, 2, 3, 4, 5, 6]],
    [7, 150, [0, 2, 4, 6]],
    [30, 280, [4, 9, 14, 19, 24, 29]],
    [1, 280, [0]],
  ])('of %i bars on %i pixels labels as many as fit, and the last', (count, width, indexes) =>
    expect(labelled(count, width, 40)).toEqual(indexes),
  );

  it('finds the bar under the pointer, also at the edges', () => {
    expect([-5, 0, 99, 100, 299, 400].map((x) => barAt(x, 3, 300))).toEqual([0, 0, 0, 1, 2, 2]);
  });

  it('draws no line over days without a session', () => {
    const rates = [
      { sessions: 4, saved: 1 },
      { sessions: 2, saved: 0 },
      { sessions: 0, saved: 0 },
      { sessions: 1, saved: 1 },
    ].map(rateOf);
    expect(linesOf(rates)).toEqual([
      [
        [0, 0.25],
        [1, 0],
      ],
      [[3, 1]],
    ]);
    expect(linesOf([null, null])).toEqual([]);
  });
});
