import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { OutboundHttpClient, type OutboundRequest, type OutboundResponse } from './outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options.js';
import { socketHost } from './outbound-url.js';
import { isPublicLiteral, plainHttpRefusal, privateLookup } from './plain-http.js';

const CONNECTIONS = 4;

/** Calls identity providers at user-supplied URLs: by https, or by http within the networks of a self-hosted server. */
@Injectable()
export class ProviderHttpClient implements OnApplicationShutdown {
  private readonly encrypted: OutboundHttpClient;
  /** Null on the hosted edition. */
  private readonly plain: OutboundHttpClient | null;

  constructor(config: Config, @Inject(OUTBOUND_OPTIONS) options: OutboundOptions) {
    const isHosted = config.edition === 'cloud';
    const own = { ...options, userAgent: 'Service/1.0', maxConnectionsPerOrigin: CONNECTIONS };
    const publicOnly = { ...own, allowPrivateNetworks: false, allow: undefined };
    this.encrypted = new OutboundHttpClient(isHosted ? publicOnly : own);
    this.plain = isHosted ? null : new OutboundHttpClient({ ...own, lookup: privateLookup() });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.encrypted.onApplicationShutdown();
    await this.plain?.onApplicationShutdown();
  }

  /** For a URL being saved; every request checks it again. @throws OutboundUrlRefused */
  async checkUrl(url: string): Promise<void> {
    await this.clientFor(url).checkUrl(url);
  }

  /** @throws OutboundUrlRefused, OutboundRequestFailed */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    return this.clientFor(request.url).send(request);
  }

  private clientFor(text: string): OutboundHttpClient {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'http:') return this.encrypted;
    const host = socketHost(url.hostname);
    if (!this.plain || isPublicLiteral(host)) throw plainHttpRefusal(host);
    return this.plain;
  }
}
