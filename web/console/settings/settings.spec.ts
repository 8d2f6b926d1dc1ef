import { changes, lines, settingsOf } from './settings';

const ACME = {
  name: 'Acme',
  allowed_origins: ['https://acme.example'],
  jurisdictions: [],
  image_hosts: [],
  require_customer_token: false,
  offer_limit: null,
  ending_notice_days: 3,
};

describe('The settings of a workspace', () => {
  it('are sent only as far as they differ', () => {
    expect(changes(ACME, { ...ACME, allowed_origins: [...ACME.allowed_origins] })).toEqual({});
    expect(changes(ACME, { ...ACME, name: 'New', allowed_origins: [] })).toEqual({ name: 'New', allowed_origins: [] });
  });

  it('are not what only the operator may change', () => {
    expect(settingsOf({ ...ACME, id: '1', usage: {} } as typeof ACME)).toEqual(ACME);
  });

  it('have origins by line', () => {
    expect(lines(' https://a.example\n\n\thttps://b.example \r\n')).toEqual(['https://a.example', 'https://b.example']);
    expect(lines(' \n')).toEqual([]);
  });
});
