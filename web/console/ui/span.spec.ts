import { before, during, spanOf } from './span';

const NOW = Date.UTC(2026, 2, 1, 18);
const asked = (query: string) => spanOf(new URLSearchParams(query), NOW);

describe('The days of a page of numbers', () => {
  it.each([
    ['', '2026-01-31', 30],
    ['days=7', '2026-02-23', 7],
    ['days=365', '2025-03-02', 365],
    ['days=8', '2026-01-31', 30],
    ['days=x', '2026-01-31', 30],
    ['from=2026-02-01', '2026-01-31', 30],
    ['from=2026-02-30&to=2026-03-01', '2026-01-31', 30],
    ['from=2026-02-02&to=2026-02-01', '2026-01-31', 30],
    ['from=2026-03-02&to=2026-03-02', '2026-01-31', 30],
  ])('asked for by "%s" are those from %s to today', (query, from, days) =>
    expect(asked(query)).toEqual({ from, to: '2026-03-01', days, isChosen: false }),
  );

  it('may be chosen, the last one included', () => {
    const span = asked('from=2026-02-01&to=2026-02-10&days=7');
    expect(span).toEqual({ from: '2026-02-01', to: '2026-02-10', days: 10, isChosen: true });
    expect(during(span)).toEqual({ from: '2026-02-01', to: '2026-02-11' });
  });

  it('are at most 366, and none to come', () => {
    expect(asked('from=2020-01-01&to=2026-01-01')).toMatchObject({ from: '2020-01-01', to: '2020-12-31', days: 366 });
    expect(asked('from=2026-02-28&to=2027-01-01')).toMatchObject({ to: '2026-03-01', days: 2 });
  });

  it('are compared with just as many before, until this time of the day if today is among them', () => {
    expect(before(asked('days=7'), NOW)).toEqual({ from: '2026-02-16T00:00:00.000Z', to: '2026-02-22T18:00:00.000Z' });
    expect(before(asked('from=2026-02-01&to=2026-02-10'), NOW)).toEqual({
      from: '2026-01-22T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
    });
  });
});
