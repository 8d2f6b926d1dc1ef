import { stayAt } from './kaplan-meier';

describe('The part of customers who stay', () => {
  it('is the one of a published example', () => {
    // 6-MP in leukemia (Freireich and others, Blood 21, 1963), as Kalbfleisch and Prentice have it: weeks to relapse,
    // or without one (+): 6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+.
    const weeks: [week: number, left: number, watched: number][] = [
      [6, 3, 4],
      [7, 1, 1],
      [9, 0, 1],
      [10, 1, 2],
      [11, 0, 1],
      [13, 1, 1],
      [16, 1, 1],
      [17, 0, 1],
      [19, 0, 1],
      [20, 0, 1],
      [22, 1, 1],
      [23, 1, 1],
      [25, 0, 1],
      [32, 0, 2],
      [34, 0, 1],
      [35, 0, 1],
    ];
    const watched = weeks.map(([days, left, all]) => ({ days, left, watched: all }));
    const said = [6, 7, 8, 11, 14, 17, 23, 24].map((week) => stayAt(week, watched).stay!.toFixed(4));
    expect(said).toEqual(['1.0000', '0.8571', '0.8067', '0.7529', '0.6902', '0.6275', '0.5378', '0.4482']);
    expect([stayAt(35, watched).at_risk, stayAt(36, watched).stay]).toEqual([1, null]);
  });

  it('is the plain share, with its interval, where all were watched so long', () => {
    const watched = [
      { days: 12, left: 30, watched: 30 },
      { days: 90, left: 0, watched: 70 },
    ];
    // scipy.stats.binomtest(70, 100).proportion_ci(0.95, method='wilson')
    const { stay, interval, at_risk } = stayAt(30, watched);
    expect([stay, at_risk]).toEqual([0.7, 70]);
    expect(interval![0]).toBeCloseTo(0.604151, 5);
    expect(interval![1]).toBeCloseTo(0.781051, 5);
  });

  it('is all of them where nobody left, with an interval by how many were watched', () => {
    const { stay, interval } = stayAt(30, [{ days: 40, left: 0, watched: 50 }]);
    expect([stay, interval![1]]).toEqual([1, 1]);
    expect(interval![0]).toBeCloseTo(0.928651, 5);
  });

  it('is nothing without anybody who was watched so long', () => {
    expect(stayAt(30, [])).toEqual({ stay: null, interval: null, at_risk: 0 });
    expect(stayAt(30, [{ days: 29, left: 0, watched: 100 }])).toMatchObject({ stay: null, at_risk: 0 });
  });

  it('is what it would be without a limit of time, and its interval has it in 95 %', () => {
    const random = generator(7);
    let covered = 0;
    let sum = 0;
    const [runs, customers, stays] = [400, 300, 0.9];
    for (let run = 0; run < runs; run++) {
      const watched = Array.from({ length: customers }, () => {
        // One of ten leaves within 30 days, at any time; each was saved at any of the last 60 days.
        const [leaves, seen] = [random() * (30 / (1 - stays)), random() * 60];
        return leaves < seen
          ? { days: Math.floor(leaves), left: 1, watched: 1 }
          : { days: Math.floor(seen), left: 0, watched: 1 };
      });
      const { stay, interval } = stayAt(30, watched);
      sum += stay!;
      if (interval![0] <= stays && stays <= interval![1]) covered++;
    }
    expect(Math.abs(sum / runs - stays)).toBeLessThan(0.005);
    expect(covered / runs).toBeGreaterThan(0.93);
  });
});

/** Numbers from 0 to 1 that are the same each time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
