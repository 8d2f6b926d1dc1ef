import { asked, filtersOf } from './filters';

describe('The filters of comments', () => {
  it('are those of the address that are not empty', () => {
    expect(filtersOf(new URLSearchParams('flow_id=a&option=&to=2026-11-21&other=1'))).toEqual({
      flow_id: 'a',
      to: '2026-11-21',
    });
  });

  it('include the last day', () => {
    expect(asked({ from: '2026-02-01', to: '2026-02-28' })).toEqual({ from: '2026-02-01', to: '2026-03-01' });
    expect(asked({ option: 'other' })).toEqual({ option: 'other' });
  });

  it('leave it to the service to refuse what is no day', () => expect(asked({ to: 'x' })).toEqual({ to: 'x' }));
});
