import { Injectable } from '@nestjs/common';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { clientNetwork } from '../../platform/http/pipeline/client-network.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;
const logins: RateLimit = { name: 'customer_login_ip', max: 60, windowMs: MINUTE_MS };
const refreshes: RateLimit = { name: 'customer_refresh_ip', max: 120, windowMs: MINUTE_MS };
const refusedIdTokens: RateLimit = { name: 'customer_id_token_ip', max: 10, windowMs: MINUTE_MS };

const NO_TENANT = '';

/** Limits how often customers may sign in. Every method throws ApiError 429 with code 7110. */
@Injectable()
export class SignInLimitsService {
  constructor(private readonly limiter: RateLimiterService) {}

  countLogin(ip: string | undefined): Promise<void> {
    return this.count(logins, clientNetwork(ip ?? null));
  }

  countRefresh(ip: string | undefined): Promise<void> {
    return this.count(refreshes, clientNetwork(ip ?? null));
  }

  countRefusedIdToken(ip: string | undefined, appId: string): Promise<void> {
    return this.count(refusedIdTokens, `${clientNetwork(ip ?? null)}/${appId}`);
  }

  private async count(limit: RateLimit, subject: string): Promise<void> {
    const { allowed, resetsAt } = await this.limiter.hit(limit, NO_TENANT, subject);
    if (allowed) return;
    const message = 'Too many attempts to sign in. Try again later.';
    const { details } = this.limiter.refusal(message, resetsAt);
    throw new ApiError('rate_limited', message, { ...details, code: 7110 });
  }
}
