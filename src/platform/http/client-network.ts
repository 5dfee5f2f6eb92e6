import ipaddr from 'ipaddr.js';

/**
 * The part of an IP address that limits count by: an IPv4 address whole, of an IPv6 address its /64,
 * because a single customer of a provider gets all addresses of one.
 */
export function clientNetwork(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}
