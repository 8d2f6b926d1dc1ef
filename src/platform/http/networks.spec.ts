import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { inNetworks, isPublic } from './networks';

/** The first and the last address of each block that is not public, and the public ones next to it. */
const BLOCKS = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
  ['::', '1fff:ffff::', '2000::1'],
  ['2001::', '2001:1ff:ffff::', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff::', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::'],
];

describe('An address', () => {
  it.each(BLOCKS)('is not public from %s to %s, and is beside it', (first, last, ...beside) => {
    expect([first, last].filter(isPublic)).toEqual([]);
    expect(beside.filter((address) => !isPublic(address))).toEqual([]);
  });

  it.each(['::1', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::808:808', 'fe80::1%eth0', 'fd00::1', 'ff02::1'])(
    'is not public: %s',
    (address) => {
      expect(isPublic(address)).toBe(false);
    },
  );

  it('is in a network of IPv4 if it begins with the same bits', () => {
    const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(address, address, fc.integer({ min: 1, max: 32 }), (network, other, length) => {
        const near = network ^ (other >>> length);
        const isInside = (tested: number) => network >>> (32 - length) === tested >>> (32 - length);
        const contains = inNetworks([`${dotted(network)}/${length}`]);
        for (const tested of [other, near]) {
          expect(contains(dotted(tested))).toBe(isInside(tested));
          expect(contains(`::ffff:${dotted(tested)}`)).toBe(isInside(tested));
        }
      }),
    );
  });

  it('is in a network of IPv6 if it begins with the same bits', () => {
    const address = fc.bigInt(0n, 2n ** 128n - 1n);
    fc.assert(
      fc.property(address, address, fc.integer({ min: 1, max: 128 }), (network, other, length) => {
        const near = network ^ (other >> BigInt(length));
        const bits = (value: bigint) => value >> BigInt(128 - length);
        const contains = inNetworks([`${colons(network)}/${length}`]);
        for (const tested of [other, near]) expect(contains(colons(tested))).toBe(bits(network) === bits(tested));
      }),
    );
  });

  it('is in the network of a single address if it is that one', () => {
    const contains = inNetworks(['10.0.0.1', '::1']);
    expect(['10.0.0.1', '::1', '10.0.0.2', '::2'].map(contains)).toEqual([true, true, false, false]);
  });
});

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

function colons(address: bigint): string {
  const text = address.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');
  expect(isIPv6(text)).toBe(true);
  return text;
}
