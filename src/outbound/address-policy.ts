import ipaddr from 'ipaddr.js';

/** What `ipaddr.js` calls ordinary addresses of the public internet. Everything else is special. */
const PUBLIC = 'unicast';

/** IPv6 forms that carry an IPv4 address, which then is what counts. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  const last = (): ipaddr.IPv4 => new ipaddr.IPv4(bytes.slice(12));
  // NAT64 (RFC 6052) and its local-use prefix (RFC 8215), 6to4 (RFC 3056), IPv4-compatible (RFC 4291).
  if (address.match(ipaddr.IPv6.parseCIDR('64:ff9b::/96'))) return last();
  if (address.match(ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'))) return last();
  if (address.match(ipaddr.IPv6.parseCIDR('2002::/16'))) return new ipaddr.IPv4(bytes.slice(2, 6));
  if (address.match(ipaddr.IPv6.parseCIDR('::/96'))) return last();
  return null;
}

/** Prefixes that translate or tunnel to addresses of somebody's own network whatever they embed. */
const NEVER = ['64:ff9b:1::/48', '2001::/32', '2002::/16', '100::/64', '2001:db8::/32', 'fec0::/10'];

/**
 * True for an address that a URL chosen by a user may lead to: public unicast only. Loopback, private,
 * link-local (cloud metadata), carrier-grade NAT, multicast, documentation and reserved ranges are not.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === PUBLIC;
  const ipv6 = address;
  if (NEVER.some((range) => ipv6.match(ipaddr.IPv6.parseCIDR(range)))) return false;
  const inner = embeddedIpv4(ipv6);
  return inner ? inner.range() === PUBLIC : ipv6.range() === PUBLIC;
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/;

/** Names that only mean something inside a network. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host.toLowerCase().replace(/\.$/, ''));
}
