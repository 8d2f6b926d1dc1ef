import { dayAfter, isWhole } from './days';

describe('Days of filters', () => {
  it('are followed by the next one, over months and years', () => {
    expect(['2026-11-21', '2026-02-28', '2028-02-28', '2026-12-31', 'soon', ''].map(dayAfter)).toEqual([
      '2026-11-22',
      '2026-03-01',
      '2028-02-29',
      '2027-01-01',
      'soon',
      '',
    ]);
  });

  it('count once their whole year is typed', () => {
    expect(['0002-11-21', '0202-11-21', '2026-11-21', ''].map(isWhole)).toEqual([false, false, true, true]);
  });
});
