import { ratesOf, totalsOf, versionsOf } from './session-counts';

const none = { sessions: 0, accepted: 0, kept: 0, canceled: 0, contacted: 0, in_progress: 0 };
const counts = [
  { ...none, version: 2, sessions: 8, accepted: 3, in_progress: 5 },
  { ...none, version: 1, sessions: 7, kept: 1, canceled: 4, contacted: 1 },
];

describe('The numbers of a flow', () => {
  it('count sessions in total and by status', () => {
    expect(totalsOf(counts)).toEqual({ total: 15, in_progress: 5, saved: 4, canceled: 4, contacted: 1, abandoned: 1 });
  });

  it('relate what customers decided to all who came, closed windows included', () => {
    const customers = { total: 8, saved: 3, saved_by_offer: 2, canceled: 1, in_progress: 1, abandoned: 3 };
    expect(ratesOf(customers)).toEqual({ saved: 0.375, saved_by_offer: 0.25, canceled: 0.125 });
  });

  it('have no rate where nobody came, or nobody knows who', () => {
    const unknown = { saved: null, saved_by_offer: null, canceled: null };
    const none = { total: 0, saved: 0, saved_by_offer: 0, canceled: 0, in_progress: 0, abandoned: 0 };
    expect([ratesOf(none), ratesOf(null)]).toEqual([unknown, unknown]);
    expect(totalsOf([])).toEqual({ total: 0, in_progress: 0, saved: 0, canceled: 0, contacted: 0, abandoned: 0 });
  });

  it('are told by version, oldest first', () => {
    expect(versionsOf(counts)).toEqual([
      { version: 1, sessions: 7, saved: 1 },
      { version: 2, sessions: 8, saved: 3 },
    ]);
  });
});
