import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { clientNetwork } from '../../../platform/http/pipeline/client-network.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { RateLimiterService } from '../../../platform/rate-limits/rate-limiter.service.js';
import { linkChecksOfNetwork } from '../account-limits.js';

/** For routes that accept the token of a link. @throws ApiError 429 */
@Injectable()
export class LinkCheckLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiterService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { ip } = context.switchToHttp().getRequest<ApiRequest>();
    await this.limiter.count([linkChecksOfNetwork, clientNetwork(ip ?? null)]);
    return true;
  }
}
