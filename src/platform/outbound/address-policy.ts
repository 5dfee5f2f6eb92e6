import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The `ipaddr.js` range of addresses without a special purpose. */
const ORDINARY = 'unicast';

/**
 * Addresses of cloud platforms outside the link-local ranges: Azure's host agent (a public address), and the metadata
 * services of Alibaba, Oracle, AWS (metadata, DNS, time, pod identity) and Google.
 */
const PLATFORM_ADDRESSES = new Set([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::123',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

/** The only IPv6 space assigned to the internet (RFC 4291); everything else is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64 translates these to the IPv4 address in the last four bytes (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** IPv4-compatible addresses (RFC 4291, deprecated), which the parser would treat as IPv4-mapped. */
const IPV4_COMPATIBLE = /^::\d+\./;

/** The address that a text denotes: IPv4 if it embeds one (IPv4-mapped, NAT64), null if it is not an address. */
export function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (isIP(text) === 0 || IPV4_COMPATIBLE.test(text)) return null;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

export function isPlatformAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return PLATFORM_ADDRESSES.has(address.toString());
}

/**
 * True if a user-supplied URL may lead to the address: public unicast only. Rejects loopback, private, link-local
 * (cloud metadata), carrier-grade NAT, multicast, documentation and reserved ranges, and tunnels (6to4, Teredo) and
 * local NAT64 prefixes, whatever they embed.
 */
export function isPublicAddress(text: string): boolean {
  const address = addressOf(text);
  if (address === null || address.range() !== ORDINARY || isPlatformAddress(address)) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/;

/** Names that are only meaningful inside a network, with or without the trailing dot of the DNS root. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host.toLowerCase().replace(/\.+$/, ''));
}
