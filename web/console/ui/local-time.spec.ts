import { localTime } from './local-time';

it('A time stays the same, to the minute, from the field and back', () =>
  expect(new Date(localTime('2026-03-09T04:05:59.999Z')).toISOString()).toBe('2026-03-09T04:05:00.000Z'));
