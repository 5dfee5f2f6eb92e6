import type { LookupFunction } from 'node:net';
import type { OutboundAllow } from '../config/outbound-allow.js';

export const OUTBOUND_OPTIONS = Symbol('OUTBOUND_OPTIONS');

export interface OutboundOptions {
  /** Lets every address be called. For development, and where the endpoints live in the same network. */
  allowPrivateNetworks: boolean;
  /** Destinations that are not public and may be called all the same; none unless given. */
  allow?: OutboundAllow;
  /** Addresses (`host` or `host:port`, as in `URL.host`) under which this server itself answers: never called. */
  ownHosts?: readonly string[];
  userAgent: string;
  /** Connections to one origin at a time. */
  maxConnectionsPerOrigin: number;
  /** Resolver of host names; the system's own unless a test brings another. */
  lookup?: LookupFunction;
}
