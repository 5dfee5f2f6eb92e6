import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** What proxies, load balancers and content delivery networks add to requests of others. */
const FORWARDING_HEADER =
  /^(forwarded|via|cdn-loop|x-(forwarded|original|envoy|proxy|arr|azure|amzn|cluster|real|client)-.+|(cf|true|fastly|fly)-.+|.+-(client|connecting)-?ip)$/;

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** The name that the client has for the server is one of its own machine; a name that only resolves there is not. */
function namesOwnMachine(host: string): boolean {
  const { hostname } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: '' };
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/**
 * Whether the request comes from the server's own machine, and not through a proxy there. A web page whose name resolves
 * to a loopback address (DNS rebinding) is told by the name it asks for.
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
