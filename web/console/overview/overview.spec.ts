import { firstDay, spanOf } from './span';
import { offersOf, reasonsOf } from './sums';

type Flows = Parameters<typeof reasonsOf>[0];

const reason = (label: string, sessions: number, saved: number) => ({
  node_key: 'reason',
  option: label,
  label,
  sessions,
  saved,
});
const offer = (id: string, name: string, presented: number, accepted: number) => ({
  id,
  name,
  presented,
  accepted,
  acceptance_rate: accepted / presented,
});

describe('The overview', () => {
  it.each([
    ['', 30],
    ['days=7', 7],
    ['days=365', 365],
    ['days=8', 30],
    ['days=x', 30],
  ])('asked for by "%s" goes back %i days', (query, days) => expect(spanOf(new URLSearchParams(query))).toBe(days));

  it('counts today among its days', () => {
    const now = Date.UTC(2026, 2, 1, 23, 59);
    expect([firstDay(7, now), firstDay(30, now), firstDay(365, now)]).toEqual([
      '2026-02-23',
      '2026-01-31',
      '2025-03-02',
    ]);
  });

  it('adds up the reasons of all flows by what customers read', () => {
    const flows = [
      { reasons: [reason('Too expensive', 5, 1), reason('Other', 4, 0)] },
      { reasons: [reason('Other', 3, 2)] },
    ] as Flows;
    expect(reasonsOf(flows)).toEqual([
      { label: 'Other', sessions: 7, saved: 2 },
      { label: 'Too expensive', sessions: 5, saved: 1 },
    ]);
  });

  it('adds up an offer over all flows', () => {
    const flows = [
      { offers: [offer('a', 'Half price', 2, 1)] },
      { offers: [offer('b', 'A pause', 10, 1), offer('a', 'Half price', 9, 3)] },
    ] as Flows;
    expect(offersOf(flows)).toEqual([
      { id: 'a', name: 'Half price', presented: 11, accepted: 4 },
      { id: 'b', name: 'A pause', presented: 10, accepted: 1 },
    ]);
  });
});
