import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Headers that proxies, load balancers and CDNs add to forwarded requests. */
const FORWARDING_HEADER =
  /^(forwarded|via|cdn-loop|x-(forwarded|original|envoy|proxy|arr|azure|amzn|cluster|real|client)-.+|(cf|true|fastly|fly)-.+|.+-(client|connecting)-?ip)$/;

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** Whether the requested host is a loopback name or address, not just a name that resolves to one. */
function namesOwnMachine(host: string): boolean {
  const { hostname } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '' };
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/**
 * Whether the request comes from the server's own machine and not through a proxy there. The `Host` header exposes web
 * pages whose name resolves to a loopback address (DNS rebinding).
 */
export function isFromOwnMachine({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } }): boolean {
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    namesOwnMachine(headers.host ?? '') &&
    !Object.keys(headers).some((name) => FORWARDING_HEADER.test(name))
  );
}
