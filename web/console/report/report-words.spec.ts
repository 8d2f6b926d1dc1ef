import { changesOf, keptWords } from './report-words';

it.each<[Parameters<typeof keptWords>[0], string]>([
  [null, '–'],
  [[], '–'],
  [[{ currency: 'EUR', amount: 123450 }], '€1,234.50'],
  [
    [
      { currency: 'EUR', amount: 100 },
      { currency: 'USD', amount: null },
    ],
    '–',
  ],
  [
    [
      { currency: 'EUR', amount: 100 },
      { currency: null, amount: 29.9 },
    ],
    '€1.00 + 29.90',
  ],
])('%j is %s', (kept, words) => expect(keptWords(kept)).toBe(words));

it('compares with the months before and with last year', () => {
  const others: Parameters<typeof changesOf>[1] = [
    [10, '2026-10-01', '2026-11-01'],
    [0, '2025-11-01', '2025-12-01'],
    [24, '2026-01-01', '2026-04-01'],
  ];
  expect(changesOf(12, others, false)).toEqual([
    '20% more than in October 2026',
    '50% less than in January 2026 to March 2026',
  ]);
  expect(changesOf(0.5, [[0.4, '2026-10-01', '2026-11-01']], true)).toEqual(['10 points higher than in October 2026']);
});
