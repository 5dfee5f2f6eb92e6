import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './address-policy.js';
import { OutboundUrlRefused } from './outbound-errors.js';

/** Over plain http, anyone between this server and a public address could read and replace what is sent. */
export function plainHttpRefusal(host: string): OutboundUrlRefused {
  return new OutboundUrlRefused('scheme', `${host} must be called with https.`);
}

/** Whether a literal address must not be called over plain http. Names are checked by `privateLookup`. */
export const isPublicLiteral = (host: string): boolean => isIP(host) !== 0 && isPublicAddress(host);

/** Refuses names that resolve to a public address. */
export function privateLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error || !Array.isArray(found)) return callback(error, '', 0);
      if (found.some(({ address }) => isPublicAddress(address)))
        return callback(plainHttpRefusal(host), '', 0);
      callback(null, found);
    });
  };
}
