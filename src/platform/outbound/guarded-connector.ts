import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { Destinations } from './destinations.js';
import { OutboundUrlRefused } from './outbound-errors.js';
import type { OutboundOptions } from './outbound-options.js';
import { privateAddressRefusal, socketHost } from './outbound-url.js';

export const CONNECT_TIMEOUT_MS = 30_000;
/** Maximum time that saving a URL waits for DNS. */
const CHECK_TIMEOUT_MS = 5_000;

function nothingFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no address`), { code: 'ENODATA' });
}

/**
 * Sockets connect to exactly the addresses checked here, whatever the name resolved to before. If any address is
 * refused, the name is refused.
 */
export function guardedLookup({
  allowPrivateNetworks,
  allow,
  lookup = systemLookup,
}: OutboundOptions): LookupFunction {
  const destinations = new Destinations(allowPrivateNetworks, allow);
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = !error && Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first) {
        const failure = destinations.hides(host) ? privateAddressRefusal(host) : null;
        return callback(failure ?? error ?? nothingFound(host), '', 0);
      }
      if (!addresses.every(({ address }) => destinations.permits(host, address))) {
        return callback(privateAddressRefusal(host), '', 0);
      }
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

export function guardedConnector(options: OutboundOptions): buildConnector.connector {
  const destinations = new Destinations(options.allowPrivateNetworks, options.allow);
  const connect = buildConnector({ lookup: guardedLookup(options), timeout: CONNECT_TIMEOUT_MS });
  return (target, callback) => {
    // Sockets do not look up literal addresses, so these are checked here.
    const refusal = destinations.refusalOf(socketHost(target.hostname));
    if (refusal) return callback(refusal, null);
    connect(target, callback);
  };
}

/** Resolves a name that is being saved. One that has no address yet, or none in time, is accepted. @throws OutboundUrlRefused */
export function refuseName(host: string, lookup: LookupFunction): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, CHECK_TIMEOUT_MS);
    lookup(host, { all: true }, (error) => {
      clearTimeout(timer);
      if (error instanceof OutboundUrlRefused) reject(error);
      else resolve();
    });
  });
}
