import { ends, expiryAfter, stateOf } from './api-key';

describe('An API key', () => {
  const TIME = '2026-11-21T09:30:00.000Z';
  const now = Date.parse(TIME);

  it('is shown by its ends', () => {
    expect(ends({ prefix: 'rf_live_7Gh2', last_four: '0aXz' })).toBe('rf_live_7Gh2…0aXz');
  });

  it.each([
    ['active', null, null],
    ['active', null, '2026-11-21T09:30:00.001Z'],
    ['expired', null, TIME],
    ['revoked', TIME, null],
    ['revoked', TIME, TIME],
  ] as const)('is %s when it was revoked at %s and expires at %s', (state, revoked_at, expires_at) =>
    expect(stateOf({ revoked_at, expires_at }, now)).toBe(state),
  );

  it('works until the end of its last day', () => {
    expect([expiryAfter('2030-01-31'), expiryAfter('')]).toEqual(['2030-01-31T23:59:59.999Z', undefined]);
  });
});
