import { ratesOf, type SessionCount, totalsOf, versionsOf } from './session-counts';

const counts: SessionCount[] = [
  { version: 2, status: 'saved', accepted: true, sessions: 3 },
  { version: 1, status: 'saved', accepted: false, sessions: 1 },
  { version: 1, status: 'canceled', accepted: false, sessions: 4 },
  { version: 1, status: 'abandoned', accepted: false, sessions: 2 },
  { version: 2, status: 'in_progress', accepted: false, sessions: 5 },
];

describe('The numbers of a flow', () => {
  it('count sessions in total and by status', () => {
    expect(totalsOf(counts)).toEqual({ total: 15, in_progress: 5, saved: 4, canceled: 4, abandoned: 2 });
  });

  it('relate accepted offers, and what was not canceled, to the sessions that ended', () => {
    expect(ratesOf(counts)).toEqual({ accepted_offer: 0.3, not_canceled: 0.6 });
  });

  it('have no rate where nothing ended', () => {
    expect(ratesOf(counts.slice(-1))).toEqual({ accepted_offer: null, not_canceled: null });
    expect(totalsOf([])).toEqual({ total: 0, in_progress: 0, saved: 0, canceled: 0, abandoned: 0 });
  });

  it('are told by version, oldest first', () => {
    expect(versionsOf(counts)).toEqual([
      { version: 1, sessions: 7, saved: 1 },
      { version: 2, sessions: 8, saved: 3 },
    ]);
  });
});
