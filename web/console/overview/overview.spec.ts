import { offersOf, surveysOf } from './sums';

type Flows = Parameters<typeof surveysOf>[0];

const reason = (label: string, sessions: number, saved: number) => ({
  node_key: 'reason',
  option: label,
  label,
  sessions,
  saved,
});
const offer = (id: string, name: string, presented: number, accepted: number, contacted = 0) => ({
  id,
  name,
  presented,
  accepted,
  contacted,
  withheld: [{ reason: 'limit' as const, sessions: 1 }],
  acceptance_rate: accepted / presented,
  value: [],
});

describe('The overview', () => {
  it('keeps the surveys of flows apart, the most answered first', () => {
    const flows = [
      { flow_id: '1', reasons: [reason('Too expensive', 5, 1), { ...reason('Other', 4, 0), node_key: 'more' }] },
      { flow_id: '2', reasons: [reason('Other', 13, 2)] },
    ] as Flows;
    expect(
      surveysOf(flows).map(({ flow, node_key, reasons, sessions }) => [
        flow.flow_id,
        node_key,
        reasons.map(({ label }) => label),
        sessions,
      ]),
    ).toEqual([
      ['2', 'reason', ['Other'], 13],
      ['1', 'reason', ['Too expensive'], 5],
      ['1', 'more', ['Other'], 4],
    ]);
  });

  it('adds up an offer over all flows, with those who take a call among those who accept', () => {
    const flows = [
      { offers: [offer('a', 'Half price', 2, 1)] },
      { offers: [offer('b', 'A pause', 10, 1, 2), offer('a', 'Half price', 9, 3)] },
    ] as unknown as Flows;
    expect(offersOf(flows)).toEqual([
      { id: 'a', name: 'Half price', presented: 11, accepted: 4, withheld: 2, value: [] },
      { id: 'b', name: 'A pause', presented: 10, accepted: 3, withheld: 1, value: [] },
    ]);
  });
});
