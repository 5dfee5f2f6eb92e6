import { lookup as dnsLookup } from 'node:dns';
import { lookup as dnsLookupPromise } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, buildConnector, type Dispatcher, errors, request } from 'undici';
import { isLocalName, isPublicAddress } from './address-policy.js';
import { OutboundRequestFailed, OutboundUrlRefused } from './outbound-errors.js';

export const OUTBOUND_OPTIONS = Symbol('OUTBOUND_OPTIONS');

export interface OutboundOptions {
  allowPrivateNetworks: boolean;
  userAgent: string;
  /** Resolver of host names; the system's own unless a test brings another. */
  lookup?: LookupFunction;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Bound (ms) on the whole exchange: name, connection, headers and body. */
  timeoutMs: number;
  /** Bytes of the answer that are kept; the rest is not read. */
  maxResponseBytes?: number;
}

export interface OutboundResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  durationMs: number;
}

const DEFAULT_RESPONSE_BYTES = 4096;
const FORBIDDEN_IN_HEADER = /[\r\n\0]/;

function parseUrl(text: string): URL {
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

/** Host of a URL without the brackets of an IPv6 literal. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const privateAddress = (host: string): OutboundUrlRefused =>
  new OutboundUrlRefused('private_address', `${host} is not an address of the public internet.`);

function failureOf(error: unknown): OutboundRequestFailed {
  if (error instanceof OutboundRequestFailed) return error;
  if (error instanceof OutboundUrlRefused) return new OutboundRequestFailed('refused', error.message);
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const cause = (error as { cause?: unknown }).cause;
  if (cause instanceof OutboundUrlRefused) return new OutboundRequestFailed('refused', cause.message);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new OutboundRequestFailed('dns', `The host was not found (${code}).`);
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE') {
    return new OutboundRequestFailed('reset', 'The connection was closed before an answer came.');
  }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) {
    return new OutboundRequestFailed('connect', `The host could not be reached (${code}).`);
  }
  if (/CERT|SSL|TLS|ALTNAME/.test(code))
    return new OutboundRequestFailed('tls', `The TLS connection failed (${code}).`);
  if (error instanceof errors.HTTPParserError)
    return new OutboundRequestFailed('protocol', 'The answer is not HTTP.');
  return new OutboundRequestFailed('protocol', message || 'The request failed.');
}

/**
 * The one client for URLs that users gave us. An address is judged when it is about to be connected to, so
 * that a name which resolves differently the second time leads nowhere; redirects are not followed.
 */
@Injectable()
export class OutboundHttpClient implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(@Inject(OUTBOUND_OPTIONS) private readonly options: OutboundOptions) {
    const connector = buildConnector({ lookup: this.guardedLookup, timeout: 30_000 });
    this.agent = new Agent({
      pipelining: 1,
      keepAliveTimeout: 10_000,
      connect: (target, callback) => {
        // Sockets do not look literal addresses up: they are judged here.
        const host = target.hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) !== 0 && !this.mayConnectTo(host)) return callback(privateAddress(host), null);
        connector(target, callback);
      },
    });
  }

  /**
   * Checks a URL before it is saved. It is checked again whenever it is called.
   * @throws OutboundUrlRefused
   */
  async checkUrl(text: string): Promise<void> {
    const url = parseUrl(text);
    const host = hostOf(url);
    if (this.options.allowPrivateNetworks) return;
    if (isLocalName(host)) throw privateAddress(host);
    if (isIP(host) !== 0) {
      if (!isPublicAddress(host)) throw privateAddress(host);
      return;
    }
    const addresses = await this.resolve(host);
    // A name that does not resolve today may tomorrow; what it resolves to is judged at every call.
    if (addresses.some((address) => !isPublicAddress(address))) throw privateAddress(host);
  }

  /** @throws OutboundRequestFailed when no answer came; any status is an answer */
  async send(outbound: OutboundRequest): Promise<OutboundResponse> {
    const startedAt = performance.now();
    const timeout = AbortSignal.timeout(outbound.timeoutMs);
    try {
      const url = parseUrl(outbound.url);
      for (const value of Object.values(outbound.headers)) {
        if (FORBIDDEN_IN_HEADER.test(value))
          throw new OutboundRequestFailed('refused', 'A header holds a line break.');
      }
      if (!this.options.allowPrivateNetworks && isLocalName(hostOf(url))) throw privateAddress(hostOf(url));
      const response = await request(url, {
        method: outbound.method,
        headers: { 'user-agent': this.options.userAgent, ...outbound.headers },
        body: outbound.body,
        dispatcher: this.agent,
        signal: timeout,
        headersTimeout: outbound.timeoutMs,
        bodyTimeout: outbound.timeoutMs,
      });
      const body = await this.readSome(response.body, outbound.maxResponseBytes ?? DEFAULT_RESPONSE_BYTES);
      const durationMs = Math.round(performance.now() - startedAt);
      return { status: response.statusCode, headers: response.headers, body, durationMs };
    } catch (error) {
      if (timeout.aborted)
        throw new OutboundRequestFailed('timeout', `No answer within ${outbound.timeoutMs} ms.`);
      throw failureOf(error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private mayConnectTo(address: string): boolean {
    return this.options.allowPrivateNetworks || isPublicAddress(address);
  }

  /** The resolver that sockets use: one forbidden address refuses the whole name. */
  private readonly guardedLookup: LookupFunction = (host, options, callback) => {
    const lookup = this.options.lookup ?? dnsLookup;
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !this.mayConnectTo(address))) {
        return callback(privateAddress(host), '', 0);
      }
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

  private resolve(host: string): Promise<string[]> {
    const { lookup } = this.options;
    if (!lookup) {
      return dnsLookupPromise(host, { all: true })
        .then((found) => found.map(({ address }) => address))
        .catch(() => []);
    }
    return new Promise((resolve) => {
      lookup(host, { all: true }, (error, found) => {
        resolve(error ? [] : Array.isArray(found) ? found.map(({ address }) => address) : [found]);
      });
    });
  }

  private async readSome(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection: nobody has to be read to the end.
      if (length >= maxBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8').replaceAll('\0', '');
  }
}
