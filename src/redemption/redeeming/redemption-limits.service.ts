import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../platform/http/pipeline/client-network.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;
const byAddress: RateLimit = { name: 'redeem_ip', max: 10, windowMs: MINUTE_MS };
const byCustomer: RateLimit = { name: 'redeem_customer', max: 10, windowMs: MINUTE_MS };

/** Limits how often tokens may be tried, valid or not. */
@Injectable()
export class RedemptionLimitsService {
  constructor(private readonly limiter: RateLimiterService) {}

  /** @throws ApiError 429 */
  async count(projectId: string, ip: string | undefined, appUserId: string): Promise<void> {
    await this.hit(byAddress, projectId, clientNetwork(ip ?? null));
    await this.hit(byCustomer, projectId, appUserId);
  }

  private async hit(limit: RateLimit, projectId: string, subject: string): Promise<void> {
    const { allowed, resetsAt } = await this.limiter.hit(limit, projectId, subject);
    if (!allowed) throw this.limiter.refusal('Too many redemptions. Try again later.', resetsAt);
  }
}
