import { BlockList, isIP } from 'node:net';

/** IPv4 addresses that are not public unicast (the IANA special-purpose registry, RFC 6890; multicast; class E). */
const isSpecialIPv4 = inNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

/** All public IPv6 addresses are in here (RFC 4291). IPv4-mapped and NAT64 addresses are not. */
const isGlobalIPv6 = inNetworks(['2000::/3']);

/** Within 2000::/3: protocol assignments with Teredo, documentation, 6to4, documentation. */
const isSpecialIPv6 = inNetworks(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/**
 * Returns whether an address is in one of the networks (addresses or CIDRs). An IPv4-mapped IPv6 address
 * (`::ffff:10.0.0.1`) is in the networks of its IPv4 address.
 */
export function inNetworks(networks: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefixLength] = network.split('/');
    if (prefixLength === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefixLength), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/** Whether an address belongs to one host on the Internet: not private, local, multicast, reserved or a tunnel's. */
export function isPublic(address: string): boolean {
  return isIP(address) === 4 ? !isSpecialIPv4(address) : isGlobalIPv6(address) && !isSpecialIPv6(address);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
