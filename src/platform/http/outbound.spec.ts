import { refusalOf } from './outbound';

const PRIVATE = 'is a private address, and not in a network of WEBHOOK_ALLOWED_NETWORKS';
const NOT_HTTPS = 'must be https, or in a network of WEBHOOK_ALLOWED_NETWORKS';

describe('A URL to send requests to', () => {
  it.each([
    'https://acme.example/hook',
    'https://acme.example:8443/hook?a=b#c',
    'https://intranet/hook',
    'https://localhost.example/',
    'https://notlocalhost/',
    'https://93.184.215.14/',
    'https://[2606:4700::1111]/',
  ])('is accepted: %s', (url) => {
    expect(refusalOf(url, [])).toBeUndefined();
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://localhost/',
    'https://LOCALHOST:8080/',
    'https://localhost./',
    'https://acme.localhost/',
  ])('is refused as private: %s', (url) => {
    expect(refusalOf(url, [])).toBe(PRIVATE);
    expect(refusalOf(url, ['203.0.113.7', 'fd99::/16'])).toBe(PRIVATE);
  });

  it.each(['http://acme.example/', 'http://93.184.215.14/', 'http://127.0.0.1/', 'http://localhost/'])(
    'is refused without https: %s',
    (url) => {
      expect(refusalOf(url, [])).toBe(NOT_HTTPS);
    },
  );

  it.each([
    ['https://10.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3:8080/', '10.0.0.0/8'],
    ['http://167838211/', '10.0.0.0/8'],
    ['http://[fd00::1]/', 'fd00::/8'],
    ['http://localhost:3000/', '127.0.0.1'],
    ['http://localhost:3000/', '::1'],
    ['https://acme.localhost/', '127.0.0.0/8'],
    ['http://intranet/', '10.0.0.0/8'],
    ['http://93.184.215.14/', '93.184.215.0/24'],
  ])('is accepted when it is, or may be, in an allowed network: %s in %s', (url, network) => {
    expect(refusalOf(url, [network])).toBeUndefined();
  });

  it.each([
    ['https://10.1.2.3/', '10.1.2.4', PRIVATE],
    ['http://10.1.2.3/', '10.1.2.4', NOT_HTTPS],
    ['http://93.184.215.14/', '10.0.0.0/8', NOT_HTTPS],
    ['https://localhost/', '10.0.0.0/8', PRIVATE],
    ['http://localhost/', '10.0.0.0/8', NOT_HTTPS],
  ])('is refused when it is not in the allowed network: %s in %s', (url, network, refusal) => {
    expect(refusalOf(url, [network])).toBe(refusal);
  });
});
