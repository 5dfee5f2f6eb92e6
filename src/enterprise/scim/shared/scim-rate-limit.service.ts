import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;

/** Limits an identity provider's requests, because a filter without an index reads every user of an organization. */
@Injectable()
export class ScimRateLimitService {
  private readonly limit: RateLimit | null;

  constructor(
    private readonly limiter: RateLimiterService,
    { rateLimitScim: max }: Config,
  ) {
    this.limit = max === 0 ? null : { name: 'scim', max, windowMs: MINUTE_MS, aligned: true };
  }

  /** @throws ApiError 429 */
  async count(orgId: string, tokenId: string): Promise<void> {
    if (this.limit === null) return;
    const { allowed, resetsAt } = await this.limiter.hit(this.limit, orgId, tokenId);
    if (!allowed)
      throw this.limiter.refusal(`More than ${this.limit.max} requests a minute with one token.`, resetsAt);
  }
}
