import { asked, filtersOf } from './filters';

describe('The filters of sessions', () => {
  it('are read from the address, without what is empty or unknown', () => {
    expect(filtersOf(new URLSearchParams('status=saved&customer_id=%20&flow_id=&page=2'))).toEqual({ status: 'saved' });
  });

  it('include the last day as a whole', () => {
    expect(asked({ status: 'saved', from: '2026-11-21', to: '2026-11-30' })).toEqual({
      status: 'saved',
      from: '2026-11-21',
      to: '2026-12-01',
    });
  });

  it('leave to the service what is no day', () =>
    expect(asked({ from: 'soon', to: 'later' })).toEqual({ from: 'soon', to: 'later' }));
});
