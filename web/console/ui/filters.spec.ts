import { asked, dayAfter, filtersOf, isWhole } from './filters';

describe('Days of filters', () => {
  it('are followed by the next one, over months and years', () => {
    expect(['2026-11-21', '2026-02-28', '2028-02-28', '2026-12-31', 'soon', '', '2026-02-31'].map(dayAfter)).toEqual([
      '2026-11-22',
      '2026-03-01',
      '2028-02-29',
      '2027-01-01',
      'soon',
      '',
      '2026-02-31',
    ]);
  });

  it('count once their whole year is typed', () => {
    expect(['0002-11-21', '0202-11-21', '2026-11-21', ''].map(isWhole)).toEqual([false, false, true, true]);
  });
});

describe('Filters', () => {
  it('are read from the address, without what is empty or unknown', () => {
    const query = new URLSearchParams('status=saved&customer_id=%20&flow_id=&page=2');
    expect(filtersOf(query, ['status', 'customer_id', 'flow_id'])).toEqual({ status: 'saved' });
  });

  it('include the last day as a whole', () => {
    const filters = { status: 'saved', from: '2026-02-01', to: '2026-02-28' };
    expect(asked(filters)).toEqual({ status: 'saved', from: '2026-02-01', to: '2026-03-01' });
    expect(asked<{ option: string; to?: string }>({ option: 'other' })).toEqual({ option: 'other' });
  });

  it('leave it to the service to refuse what is no day', () => expect(asked({ to: 'x' })).toEqual({ to: 'x' }));
});
