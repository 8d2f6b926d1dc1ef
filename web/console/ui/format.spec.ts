import { amount, count, counted, day, percent } from './format';

describe('Numbers', () => {
  it('are written for people', () => {
    expect([count(1234567), amount(1234.5), percent(0.4213), percent(1), percent(0), percent(null)]).toEqual([
      '1,234,567',
      '1,234.50',
      '42.1%',
      '100%',
      '0%',
      '–',
    ]);
  });

  it('are counted', () => {
    expect([
      counted(0, 'session'),
      counted(1, 'session'),
      counted(1200, 'session'),
      counted(2, 'way back', 'ways back'),
    ]).toEqual(['0 sessions', '1 session', '1,200 sessions', '2 ways back']);
  });

  it('of days are those of UTC, wherever one is', () => expect(day('2026-11-21')).toBe('Nov 21, 2026'));
});
