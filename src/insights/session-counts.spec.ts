import { intervalsOf, ratesOf, totalsOf, versionsOf } from './session-counts';

const none = { sessions: 0, accepted: 0, kept: 0, canceled: 0, in_progress: 0 };
const counts = [
  { ...none, version: 2, sessions: 8, accepted: 3, in_progress: 5 },
  { ...none, version: 1, sessions: 7, kept: 1, canceled: 4 },
];
const open = [{ ...none, sessions: 5, in_progress: 5 }];

describe('The numbers of a flow', () => {
  it('count sessions in total and by status', () => {
    expect(totalsOf(counts)).toEqual({ total: 15, in_progress: 5, saved: 4, canceled: 4, abandoned: 2 });
  });

  it('relate accepted offers, and what was not canceled, to the sessions that ended', () => {
    expect(ratesOf(counts)).toEqual({ accepted_offer: 0.3, not_canceled: 0.6 });
  });

  it('say how sure the rates are, by the sessions that ended', () => {
    const { accepted_offer, not_canceled } = intervalsOf(counts);
    // 3 of 10 and 6 of 10: see interval.spec.ts.
    expect(accepted_offer!.map((end) => end.toFixed(6))).toEqual(['0.107791', '0.603222']);
    expect(not_canceled!.map((end) => end.toFixed(6))).toEqual(['0.312674', '0.831820']);
  });

  it('have no rate where nothing ended', () => {
    expect(ratesOf(open)).toEqual({ accepted_offer: null, not_canceled: null });
    expect(intervalsOf(open)).toEqual({ accepted_offer: null, not_canceled: null });
    expect(totalsOf([])).toEqual({ total: 0, in_progress: 0, saved: 0, canceled: 0, abandoned: 0 });
  });

  it('are told by version, oldest first', () => {
    expect(versionsOf(counts)).toEqual([
      { version: 1, sessions: 7, saved: 1 },
      { version: 2, sessions: 8, saved: 3 },
    ]);
  });
});
