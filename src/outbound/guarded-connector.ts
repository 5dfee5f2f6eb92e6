import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress } from './address-policy.js';
import { OutboundUrlRefused } from './outbound-errors.js';
import type { OutboundOptions } from './outbound-options.js';
import { privateAddressRefusal, refuseLocalHost, socketHost } from './outbound-url.js';

const CONNECT_TIMEOUT_MS = 30_000;

function nothingFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has no address`), { code: 'ENODATA' });
}

/**
 * The resolver that sockets use. They connect to the very addresses it hands out, so an address is judged when
 * it is about to be connected to, whatever the name meant earlier. One forbidden address refuses the name.
 */
export function guardedLookup({
  allowPrivateNetworks,
  lookup = systemLookup,
}: OutboundOptions): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first) return callback(nothingFound(host), '', 0);
      if (!allowPrivateNetworks && addresses.some(({ address }) => !isPublicAddress(address))) {
        return callback(privateAddressRefusal(host), '', 0);
      }
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/** Opens connections (TCP, TLS) to addresses that may be called, and to no others. */
export function guardedConnector(options: OutboundOptions): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(options), timeout: CONNECT_TIMEOUT_MS });
  return (target, callback) => {
    try {
      // Sockets do not look literal addresses up, so these are judged here.
      if (!options.allowPrivateNetworks) refuseLocalHost(socketHost(target.hostname));
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      return callback(error, null);
    }
    connect(target, callback);
  };
}
