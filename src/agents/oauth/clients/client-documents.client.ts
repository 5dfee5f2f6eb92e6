import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { OutboundRequestFailed, OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../../platform/outbound/outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from '../../../platform/outbound/outbound-options.js';
import { clientOfDocument, DocumentProblem, documentLifetimeMs } from './client-document.policy.js';
import type { ClientMetadata } from './client-metadata.policy.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10 * 1024;
const CONNECTIONS = 4;

export interface FetchedClient extends ClientMetadata {
  lifetimeMs: number;
}

/** Fetches metadata documents, only from public addresses, whatever webhooks may reach. */
@Injectable()
export class ClientDocumentsClient implements OnApplicationShutdown {
  private readonly http: OutboundHttpClient;

  constructor(config: Config, @Inject(OUTBOUND_OPTIONS) options: OutboundOptions) {
    const own = { ...options, userAgent: 'Service/1.0', maxConnectionsPerOrigin: CONNECTIONS };
    const publicOnly = { ...own, allowPrivateNetworks: false, allow: undefined };
    this.http = new OutboundHttpClient(
      config.oauthDocumentsAllowLocal ? { ...own, allowPrivateNetworks: true } : publicOnly,
    );
  }

  onApplicationShutdown(): Promise<void> {
    return this.http.onApplicationShutdown();
  }

  /** @throws DocumentProblem */
  async fetch(clientId: string): Promise<FetchedClient> {
    try {
      const { status, headers, body } = await this.http.send({
        method: 'GET',
        url: clientId,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES + 1,
      });
      if (status !== 200) throw new DocumentProblem(`it was answered with status ${status}`);
      if (!/^application\/([\w.-]+\+)?json\b/i.test([headers['content-type'] ?? ''].flat()[0] ?? '')) {
        throw new DocumentProblem('it is not of the type application/json');
      }
      if (Buffer.byteLength(body) > MAX_BYTES) throw new DocumentProblem('it is larger than 10 KB');
      return {
        ...clientOfDocument(clientId, body),
        lifetimeMs: documentLifetimeMs(headers['cache-control']),
      };
    } catch (error) {
      if (error instanceof OutboundRequestFailed || error instanceof OutboundUrlRefused) {
        throw new DocumentProblem('it could not be fetched');
      }
      if (error instanceof ApiError) throw new DocumentProblem(`it is not valid: ${error.message}`);
      throw error;
    }
  }
}
