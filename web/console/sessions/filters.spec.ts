import { asked, filtersOf } from './filters';

describe('The filters of sessions', () => {
  it('are read from the address, without what is empty or unknown', () => {
    expect(filtersOf(new URLSearchParams('status=saved&customer_id=%20&flow_id=&page=2'))).toEqual({ status: 'saved' });
  });

  it('include the last day as a whole', () => {
    expect(asked({ status: 'saved', from: '2026-11-21', to: '2026-11-30' })).toEqual({
      status: 'saved',
      from: new Date(2026, 10, 21).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });

  it('leave to the service what is no day', () => expect(asked({ from: 'soon' })).toEqual({ from: 'soon' }));
});
