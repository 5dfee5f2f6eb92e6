import { connect, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { Destinations } from './destinations.js';
import { CONNECT_TIMEOUT_MS, guardedConnector, guardedLookup, refuseName } from './guarded-connector.js';
import { OutboundUrlRefused } from './outbound-errors.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import { parseOutboundUrl, refuseOwnHost, socketHost } from './outbound-url.js';
import { isPublicLiteral, plainHttpRefusal, privateLookup } from './plain-http.js';

const CONNECTIONS_PER_ORIGIN = 32;
const KEEP_ALIVE_MS = 10_000;

/**
 * Connections for long transfers and other protocols, to hosts that a user entered. Addresses are checked like those of
 * OutboundHttpClient; plain http reaches private networks only.
 */
@Injectable()
export class OutboundConnectionsClient implements OnApplicationShutdown {
  readonly dispatcher: Dispatcher;
  private readonly destinations: Destinations;
  private readonly lookup: LookupFunction;
  private readonly plainLookup: LookupFunction;

  constructor(@Inject(OUTBOUND_OPTIONS) private readonly options: OutboundOptions) {
    const plain = { ...options, lookup: privateLookup(options.lookup) };
    this.destinations = new Destinations(options.allowPrivateNetworks, options.allow);
    this.lookup = guardedLookup(options);
    this.plainLookup = guardedLookup(plain);
    this.dispatcher = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: this.connector(guardedConnector(options), guardedConnector(plain)),
    });
  }

  /** For a URL being saved: every connection checks it again. A name without an address is accepted. @throws OutboundUrlRefused */
  async checkUrl(text: string): Promise<void> {
    const url = parseOutboundUrl(text);
    const host = socketHost(url.hostname);
    const refusal = this.refusalOfTarget(url) ?? this.destinations.refusalOf(host);
    if (refusal) throw refusal;
    if (isIP(host) === 0) await refuseName(host, url.protocol === 'http:' ? this.plainLookup : this.lookup);
  }

  /** Connects a socket. @throws OutboundUrlRefused before any byte, or the error of the system */
  connectSocket(host: string, port: number): Promise<Socket> {
    const refusal = this.destinations.refusalOf(socketHost(host));
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: socketHost(host), port, lookup: this.lookup, noDelay: true });
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' }));
      }, CONNECT_TIMEOUT_MS);
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject);
        resolve(socket);
      });
      socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    });
  }

  /** Why the address of a connection was refused; null for any other error. */
  refusalOf(error: unknown): string | null {
    const cause = error instanceof Error ? error.cause : undefined;
    const refusal = [error, cause].find((candidate) => candidate instanceof OutboundUrlRefused);
    return refusal?.message ?? null;
  }

  /** Transfers in progress fail. */
  async onApplicationShutdown(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private connector(
    encrypted: buildConnector.connector,
    plain: buildConnector.connector,
  ): buildConnector.connector {
    return (target, callback) => {
      const { protocol, hostname, port } = target;
      const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
      const refusal = this.refusalOfTarget(new URL(`${protocol}//${host}${port && `:${port}`}`));
      if (refusal) return callback(refusal, null);
      return (protocol === 'http:' ? plain : encrypted)(target, callback);
    };
  }

  private refusalOfTarget(url: URL): OutboundUrlRefused | null {
    const host = socketHost(url.hostname);
    if (url.protocol === 'http:' && isPublicLiteral(host)) return plainHttpRefusal(host);
    try {
      refuseOwnHost(url, this.options.ownHosts ?? []);
      return null;
    } catch (error) {
      if (error instanceof OutboundUrlRefused) return error;
      throw error;
    }
  }
}
