import { fewStartsOf, spanBefore, type StatsInterval, startsOf } from './intervals';

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to), now: new Date('2026-11-30') });
const dates = (times: Date[]) => times.map((time) => time.toISOString().replace('T00:00:00.000Z', ''));

describe('The periods of a span', () => {
  it.each<[StatsInterval, string, string, string[]]>([
    ['day', '2026-02-27', '2026-03-02', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['day', '2026-02-27T12:00:00Z', '2026-02-28T12:00:00Z', ['2026-02-27T12:00:00.000Z', '2026-02-28']],
    ['month', '2026-01-31', '2026-03-01', ['2026-01-31', '2026-02-01']],
    ['month', '2025-12-01', '2026-02-01', ['2025-12-01', '2026-01-01']],
  ])('are by %s from %s to %s: %j', (interval, from, to, starts) => {
    expect(dates(startsOf(span(from, to), interval))).toEqual(starts);
  });

  it('are at most 366, and however long the span is, no more are worked out than show that', () => {
    const ages = span('0001-01-01', '9999-12-31');
    expect(() => fewStartsOf(ages, 'day')).toThrow('must be at most 366 days (UTC)');
    expect(() => fewStartsOf(ages, 'month')).toThrow('must be at most 366 months (UTC)');
    expect(startsOf(ages, 'day').length).toBeLessThan(400);
    expect(fewStartsOf(span('2024-01-01', '2025-01-01'), 'day')).toHaveLength(366);
  });
});

describe('The span before', () => {
  it.each<[StatsInterval, string, string, string]>([
    ['day', '2026-11-01', '2026-11-30', '2026-10-03'],
    ['day', '2026-11-20T12:00:00Z', '2026-11-25T12:00:00Z', '2026-11-15T12:00:00.000Z'],
    ['month', '2026-06-01', '2026-09-01', '2026-03-01'],
    // The last month has only begun: it is compared with a whole one.
    ['month', '2026-06-01', '2026-11-30', '2025-12-01'],
    // 31 days are a month, and no two.
    ['month', '2026-02-08', '2026-03-11', '2026-01-08'],
    ['month', '2026-11-20', '2026-11-25', '2026-10-20'],
    ['month', '2026-03-31', '2026-04-30', '2026-02-28'],
    ['day', '1970-01-02', '1970-01-31', '1970-01-01'],
  ])('by %s of that from %s to %s begins at %s, and ends where it begins', (interval, from, to, earlier) => {
    const before = spanBefore(span(from, to), interval);
    expect(dates([before.from])).toEqual([earlier]);
    expect(before.to).toEqual(new Date(from));
  });
});
