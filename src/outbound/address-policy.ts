import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What `ipaddr.js` calls addresses without a special purpose. */
const ORDINARY = 'unicast';

/** Public addresses that lead to the platform a machine runs on: Azure's host agent (metadata, DNS). */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/** The only IPv6 space handed out for the internet (RFC 4291); what lies outside is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Translated by NAT64 to the IPv4 address in the last four bytes (RFC 6052). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === ORDINARY && !PLATFORM_ADDRESSES.has(address.toString());
}

/** Tunnels (6to4, Teredo) and local NAT64 prefixes are special ranges: they are refused whatever they embed. */
function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === ORDINARY;
}

/** IPv4-compatible addresses (RFC 4291, deprecated), which the parser would take for IPv4-mapped ones. */
const IPV4_COMPATIBLE = /^::\d+\./;

/**
 * True for an address that a URL chosen by a user may lead to: public unicast only. Loopback, private,
 * link-local (cloud metadata), carrier-grade NAT, multicast, documentation and reserved ranges are not.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || IPV4_COMPATIBLE.test(text)) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv4 ? isPublicIpv4(address) : isPublicIpv6(address);
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/;

/** Names that only mean something inside a network, with or without the dots of the DNS root. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host.toLowerCase().replace(/\.+$/, ''));
}
