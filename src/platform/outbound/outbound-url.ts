import { OutboundUrlRefused } from './outbound-errors.js';

/** Normalizes every spelling of an IPv4 address (decimal, octal, short, full-width). @throws OutboundUrlRefused */
export function parseOutboundUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundUrlRefused('not_a_url', 'This is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundUrlRefused('scheme', 'Only http and https URLs can be called.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundUrlRefused('credentials', 'The URL must not hold a user name or password.');
  }
  return url;
}

/** A host name in the form sockets need: IPv6 addresses without brackets. */
export function socketHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Does not reveal the resolved address, which may be a secret of this network. */
export function privateAddressRefusal(host: string): OutboundUrlRefused {
  return new OutboundUrlRefused('private_address', `${host} is not an address of the public internet.`);
}

/** Prevents webhook loops. @throws OutboundUrlRefused */
export function refuseOwnHost(url: URL, ownHosts: readonly string[]): void {
  const host = url.host.replace(/\.+(?=:\d+$|$)/, '');
  if (ownHosts.includes(host))
    throw new OutboundUrlRefused('own_host', 'The URL leads to this server itself.');
}

/** The hosts of this server for `refuseOwnHost`: its public URL, and this machine on its ports. */
export function ownHostsOf(baseUrl: string, ports: readonly number[]): string[] {
  const local = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]'];
  return [new URL(baseUrl).host, ...ports.flatMap((port) => local.map((host) => `${host}:${port}`))];
}
