import { asked, monthAfter, monthsOf, recentMonths } from './months';

const now = new Date('2026-11-30T23:59:59Z');
const of = (query: string) => monthsOf(new URLSearchParams(query), now);

it('offers this month and the 24 before', () => {
  const months = recentMonths(now);
  expect([months.length, months[0], months[1], months.at(-1)]).toEqual([25, '2026-11', '2026-10', '2024-11']);
});

it.each([
  ['', '2026-10', '2026-10'],
  ['from=2026-07', '2026-07', '2026-07'],
  ['through=2026-08', '2026-08', '2026-08'],
  ['from=2026-07&through=2026-09', '2026-07', '2026-09'],
  ['from=2026-09&through=2026-07', '2026-07', '2026-09'],
  ['from=2019-01&through=x', '2026-10', '2026-10'],
])('reads "%s" as %s through %s', (query, from, through) => expect(of(query)).toEqual({ from, through }));

it('asks for months until the first day that is left out', () => {
  expect(asked({ from: '2026-10', through: '2026-12' })).toEqual({ from: '2026-10-01', to: '2027-01-01' });
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
});
