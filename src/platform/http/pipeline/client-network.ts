import ipaddr from 'ipaddr.js';

/**
 * Subject of per-client limits: the IPv4 address, or the /64 of an IPv6 address, because each customer gets a whole
 * /64.
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
