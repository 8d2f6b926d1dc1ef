import { usageAt } from './usage';

const at = (usage_period: string, sessions_used: number, now: string) =>
  usageAt({ session_limit: 10, sessions_used, usage_period: new Date(usage_period) }, new Date(now));

describe('usageAt', () => {
  it('counts within the calendar month in UTC', () => {
    expect(at('2026-11-01T00:00:00Z', 7, '2026-11-30T23:59:59.999Z')).toEqual({
      session_limit: 10,
      sessions_used: 7,
      period_start: new Date('2026-11-01T00:00:00Z'),
      period_end: new Date('2026-12-01T00:00:00Z'),
    });
  });

  it('reads 0 as soon as the month is over, into the next year too', () => {
    expect(at('2026-12-01T00:00:00Z', 7, '2027-01-01T00:00:00Z')).toMatchObject({
      sessions_used: 0,
      period_start: new Date('2027-01-01T00:00:00Z'),
      period_end: new Date('2027-02-01T00:00:00Z'),
    });
  });

  it('goes on in the stored month for a clock that is behind', () => {
    expect(at('2027-01-01T00:00:00Z', 7, '2026-12-31T23:59:59Z')).toMatchObject({
      sessions_used: 7,
      period_start: new Date('2027-01-01T00:00:00Z'),
    });
  });
});
