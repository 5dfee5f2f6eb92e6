import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../platform/http/pipeline/client-network.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const registrations: RateLimit = { name: 'oauth_register_ip', max: 20, windowMs: HOUR_MS };
const tokenRequests: RateLimit = { name: 'oauth_token_ip', max: 120, windowMs: MINUTE_MS };
const documents: RateLimit = { name: 'oauth_document_ip', max: 30, windowMs: HOUR_MS };

/** Limits unauthenticated calls per network. Every method throws ApiError 429. */
@Injectable()
export class OauthLimitsService {
  constructor(private readonly limiter: RateLimiterService) {}

  countRegistration(ip: string | undefined): Promise<void> {
    return this.count(registrations, ip);
  }

  countTokens(ip: string | undefined): Promise<void> {
    return this.count(tokenRequests, ip);
  }

  /** Limited because each fetch of a metadata document is an outgoing request. */
  countDocument(ip: string | undefined): Promise<void> {
    return this.count(documents, ip);
  }

  private async count(limit: RateLimit, ip: string | undefined): Promise<void> {
    await this.limiter.count([limit, clientNetwork(ip ?? null)]);
  }
}
