import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { isPublicAddress } from '../../../platform/outbound/address-policy.js';
import { OutboundRequestFailed, OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import {
  OutboundHttpClient,
  type OutboundResponse,
} from '../../../platform/outbound/outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from '../../../platform/outbound/outbound-options.js';
import { socketHost } from '../../../platform/outbound/outbound-url.js';
import { jsonObjectOf, keySetLifetimeMs, parseKeySet, type PublicKey } from './key-set.policy.js';

/** Where the keys of a provider are: an address, or the discovery document of an issuer. */
export type KeySource = { jwksUrl: string } | { issuer: string };

export interface FetchedKeys {
  keys: PublicKey[];
  lifetimeMs: number;
}

/** The message is for the people of the project. */
export class KeysNotLoaded extends Error {}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;
const CONNECTIONS = 4;

function publicHttp(host: string): OutboundUrlRefused {
  return new OutboundUrlRefused('scheme', `${host} must be called with https.`);
}

/** Names that lead to a public address are refused: over plain http, anyone on the way could replace the keys. */
const privateLookup: LookupFunction = (host, options, callback) => {
  systemLookup(host, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    if (found.some(({ address }) => isPublicAddress(address))) return callback(publicHttp(host), '', 0);
    callback(null, found);
  });
};

/** Fetches key sets from where customers' projects say they are. */
@Injectable()
export class KeySetClient implements OnApplicationShutdown {
  private readonly encrypted: OutboundHttpClient;
  /** Null on the hosted edition. */
  private readonly plain: OutboundHttpClient | null;

  constructor(config: Config, @Inject(OUTBOUND_OPTIONS) options: OutboundOptions) {
    const isHosted = config.edition === 'cloud';
    const own = { ...options, userAgent: 'Service/1.0', maxConnectionsPerOrigin: CONNECTIONS };
    const publicOnly = { ...own, allowPrivateNetworks: false, allow: undefined };
    this.encrypted = new OutboundHttpClient(isHosted ? publicOnly : own);
    this.plain = isHosted ? null : new OutboundHttpClient({ ...own, lookup: privateLookup });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.encrypted.onApplicationShutdown();
    await this.plain?.onApplicationShutdown();
  }

  /** For an address that someone saves: every request checks it again. @throws OutboundUrlRefused */
  async checkUrl(url: string): Promise<void> {
    await this.clientFor(url).checkUrl(url);
  }

  /** @throws KeysNotLoaded */
  async fetch(source: KeySource): Promise<FetchedKeys> {
    const url = 'jwksUrl' in source ? source.jwksUrl : await this.discover(source.issuer);
    const { body, headers } = await this.get(url, 'key set');
    const keys = parseKeySet(body);
    if (!keys) throw new KeysNotLoaded('The key set is not a JWK set.');
    return { keys, lifetimeMs: keySetLifetimeMs(headers['cache-control']) };
  }

  private async discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { body } = await this.get(url, 'discovery document');
    const document = jsonObjectOf(body);
    if (!document) throw new KeysNotLoaded('The discovery document is not a JSON object.');
    if (document.issuer !== issuer) {
      throw new KeysNotLoaded('The discovery document is of another issuer.');
    }
    if (typeof document.jwks_uri !== 'string') {
      throw new KeysNotLoaded('The discovery document has no jwks_uri.');
    }
    return document.jwks_uri;
  }

  private async get(url: string, what: string): Promise<OutboundResponse> {
    const response = await this.send(url, what);
    if (response.status !== 200) {
      throw new KeysNotLoaded(`The ${what} was answered with status ${response.status}.`);
    }
    if (Buffer.byteLength(response.body) > MAX_BYTES) {
      throw new KeysNotLoaded(`The ${what} is larger than ${MAX_BYTES} bytes.`);
    }
    return response;
  }

  private async send(url: string, what: string): Promise<OutboundResponse> {
    try {
      return await this.clientFor(url).send({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES + 1,
      });
    } catch (error) {
      if (!(error instanceof OutboundRequestFailed) && !(error instanceof OutboundUrlRefused)) throw error;
      throw new KeysNotLoaded(`The ${what} could not be fetched: ${error.message}`);
    }
  }

  /** @throws OutboundUrlRefused */
  private clientFor(text: string): OutboundHttpClient {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'http:') return this.encrypted;
    const host = socketHost(url.hostname);
    if (!this.plain || (isIP(host) !== 0 && isPublicAddress(host))) throw publicHttp(host);
    return this.plain;
  }
}
