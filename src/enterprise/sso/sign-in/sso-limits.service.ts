import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import { type RateLimit, RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';

const MINUTE_MS = 60_000;
const lookups: RateLimit = { name: 'sso_lookup_ip', max: 30, windowMs: MINUTE_MS };
const starts: RateLimit = { name: 'sso_start_ip', max: 30, windowMs: MINUTE_MS };
/** Verifying a signature is slow. Higher than the limit of starts, to allow for responses without one. */
const answers: RateLimit = { name: 'sso_answer_ip', max: 60, windowMs: MINUTE_MS };

/** Limits sign-ins through identity providers per network. Every method throws ApiError 429. */
@Injectable()
export class SsoLimitsService {
  constructor(private readonly limiter: RateLimiterService) {}

  countLookup(ip: string | undefined): Promise<void> {
    return this.count(lookups, ip);
  }

  countStart(ip: string | undefined): Promise<void> {
    return this.count(starts, ip);
  }

  countAnswer(ip: string | undefined): Promise<void> {
    return this.count(answers, ip);
  }

  private async count(limit: RateLimit, ip: string | undefined): Promise<void> {
    await this.limiter.count([limit, clientNetwork(ip ?? null)]);
  }
}
