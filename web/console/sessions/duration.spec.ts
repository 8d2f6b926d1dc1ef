import { duration } from './duration';

it.each([
  [0, '0 s'],
  [45, '45 s'],
  [200, '3 min 20 s'],
  [3600, '1 h'],
  [3605, '1 h'],
  [190_800, '2 d 5 h'],
  [-5, '0 s'],
])('%s seconds read %s', (seconds, text) => {
  const from = '2026-11-21T09:30:00.000Z';
  expect(duration(from, new Date(Date.parse(from) + seconds * 1000).toISOString())).toBe(text);
});
