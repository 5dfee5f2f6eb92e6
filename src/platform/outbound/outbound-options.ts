import type { LookupFunction } from 'node:net';
import type { OutboundAllow } from '../config/outbound-allow.js';

export const OUTBOUND_OPTIONS = Symbol('OUTBOUND_OPTIONS');

export interface OutboundOptions {
  /** Permits every address. For development, or if the endpoints are in the same network. */
  allowPrivateNetworks: boolean;
  /** Permitted destinations that are not public; none by default. */
  allow?: OutboundAllow;
  /** Addresses (`host` or `host:port`, as in `URL.host`) of this server itself, which are never called. */
  ownHosts?: readonly string[];
  userAgent: string;
  maxConnectionsPerOrigin: number;
  /** Defaults to the system's resolver. */
  lookup?: LookupFunction;
}
