import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { traced } from '../observability/tracing.js';
import { Destinations } from './destinations.js';
import { guardedConnector, guardedLookup, refuseName } from './guarded-connector.js';
import { OutboundRequestFailed } from './outbound-errors.js';
import { failureOf } from './outbound-failure.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import { parseOutboundUrl, refuseOwnHost, socketHost } from './outbound-url.js';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Time limit (ms) for the whole exchange: DNS, connection, headers and body. */
  timeoutMs: number;
  /** Maximum bytes of the response to keep, 4096 by default; the rest is not read. */
  maxResponseBytes?: number;
}

export interface OutboundResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first bytes as UTF-8, without NUL characters (PostgreSQL text cannot contain them). */
  body: string;
  durationMs: number;
}

const DEFAULT_RESPONSE_BYTES = 4096;
const KEEP_ALIVE_MS = 10_000;

/**
 * The only client for user-supplied URLs. Addresses are checked right before connecting, so DNS rebinding has no
 * effect. Redirects are not followed.
 */
@Injectable()
export class OutboundHttpClient implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly lookup: LookupFunction;
  private readonly destinations: Destinations;

  constructor(@Inject(OUTBOUND_OPTIONS) private readonly options: OutboundOptions) {
    this.destinations = new Destinations(options.allowPrivateNetworks, options.allow);
    this.lookup = guardedLookup(options);
    this.agent = new Agent({
      connections: options.maxConnectionsPerOrigin,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: guardedConnector(options),
    });
  }

  /** A name that does not resolve yet is accepted: every request checks it again. @throws OutboundUrlRefused */
  async checkUrl(text: string): Promise<void> {
    const host = socketHost(this.parse(text).hostname);
    if (this.options.allowPrivateNetworks) return;
    if (isIP(host) === 0) await refuseName(host, this.lookup);
  }

  /** @throws OutboundRequestFailed if there was no response; any status is a response, including redirects */
  async send(outbound: OutboundRequest): Promise<OutboundResponse> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // The signal alone is not enough: undici ignores it until the request has a connection.
    const timeUp = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new OutboundRequestFailed('timeout', `No complete answer within ${outbound.timeoutMs} ms.`));
        abort.abort();
      }, outbound.timeoutMs);
    });
    try {
      return await Promise.race([this.exchange(outbound, abort.signal), timeUp]);
    } catch (error) {
      throw failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Requests in progress fail with `reset`. */
  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** Sends nothing after the signal, even if the request was waiting for a connection until then. */
  private async exchange(outbound: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const startedAt = performance.now();
    const url = this.parse(outbound.url);
    const headers = this.headersOf(outbound);
    const { method, body: sent, timeoutMs } = outbound;
    const response = await traced(method, { 'server.address': url.host, 'http.request.method': method }, () =>
      request(url, {
        method,
        headers,
        body: sent,
        dispatcher: this.agent,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      }),
    );
    const body = await readStart(response.body, outbound.maxResponseBytes ?? DEFAULT_RESPONSE_BYTES);
    const durationMs = Math.round(performance.now() - startedAt);
    return { status: response.statusCode, headers: response.headers, body, durationMs };
  }

  private parse(text: string): URL {
    const url = parseOutboundUrl(text);
    refuseOwnHost(url, this.options.ownHosts ?? []);
    const refusal = this.destinations.refusalOf(socketHost(url.hostname));
    if (refusal) throw refusal;
    return url;
  }

  /** In lower case, so that a caller's `User-Agent` replaces ours instead of being sent twice. */
  private headersOf({ headers }: OutboundRequest): Record<string, string> {
    const sent: Record<string, string> = { 'user-agent': this.options.userAgent };
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      sent[name.toLowerCase()] = value;
    }
    return sent;
  }
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection; the rest is not read.
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8').replaceAll('\0', '');
}
