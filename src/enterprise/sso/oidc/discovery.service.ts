import { Inject, Injectable } from '@nestjs/common';
import type { ServerMetadata } from 'openid-client';
import { type Clock, isJsonObject, parseJson } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { OutboundRequestFailed, OutboundUrlRefused } from '../../../platform/outbound/outbound-errors.js';
import { ProviderHttpClient } from '../../../platform/outbound/provider-http.client.js';
import { SsoRefused } from '../shared/sso-reasons.js';

const LIFETIME_MS = 3_600_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;
const MAX_ISSUERS = 500;

/** Discovery documents, each cached for an hour. */
@Injectable()
export class DiscoveryService {
  /** Ordered oldest first. */
  private readonly known = new Map<string, { metadata: ServerMetadata; untilMs: number }>();

  constructor(
    private readonly http: ProviderHttpClient,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Checks an issuer before it is saved. Resolves DNS names, so call it outside a transaction.
   * @throws ApiError 400 naming `param`
   */
  async assertCallable(issuer: string, param: string): Promise<void> {
    try {
      await this.http.checkUrl(issuer);
    } catch (error) {
      if (!(error instanceof OutboundUrlRefused)) throw error;
      throw ApiError.parameter(param, error.message);
    }
  }

  /** @throws SsoRefused if the provider does not answer, or reports another issuer */
  async find(issuer: string): Promise<ServerMetadata> {
    const nowMs = this.clock.nowMs();
    const cached = this.known.get(issuer);
    if (cached && cached.untilMs > nowMs) return cached.metadata;
    const metadata = await this.fetch(issuer);
    this.known.delete(issuer);
    this.known.set(issuer, { metadata, untilMs: nowMs + LIFETIME_MS });
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size > MAX_ISSUERS) this.known.delete(oldest);
    return metadata;
  }

  private async fetch(issuer: string): Promise<ServerMetadata> {
    const document = await this.get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    // Must be identical byte for byte, as in the ID tokens.
    if (document.issuer !== issuer) throw new SsoRefused('issuer');
    return document as ServerMetadata;
  }

  private async get(url: string): Promise<Record<string, unknown>> {
    try {
      const { status, body } = await this.http.send({
        method: 'GET',
        url,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES + 1,
      });
      const document: unknown = status === 200 && body.length <= MAX_BYTES ? parseJson(body) : null;
      if (!isJsonObject(document)) throw new SsoRefused('idp_unreachable');
      return document;
    } catch (error) {
      const isExpected =
        error instanceof SyntaxError ||
        error instanceof OutboundRequestFailed ||
        error instanceof OutboundUrlRefused;
      if (!isExpected) throw error;
      throw new SsoRefused('idp_unreachable');
    }
  }
}
