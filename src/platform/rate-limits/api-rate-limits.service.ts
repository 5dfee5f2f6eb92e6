import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Permission } from '../principal/permissions.js';
import { callerOf, type Principal } from '../principal/principal.js';
import { Config } from '../config/config.js';
import type { ApiRequest } from '../http/pipeline/request.js';
import { type RateLimit, RateLimiterService } from './rate-limiter.service.js';

const MINUTE_MS = 60_000;
const V2_PATH = /^\/v2\//i;
const USAGE_HEADER = 'RevenueCat-Rate-Limit-Current-Usage';
const LIMIT_HEADER = 'RevenueCat-Rate-Limit-Current-Limit';

/** Limits per minute, key and domain (first part of a permission). 0 turns a limit off. SDKs are never limited. */
@Injectable()
export class ApiRateLimitsService {
  private readonly limits: ReadonlyMap<string, RateLimit>;

  constructor(
    private readonly limiter: RateLimiterService,
    config: Config,
  ) {
    const perMinute = {
      customer_information: config.rateLimitCustomerInformation,
      project_configuration: config.rateLimitProjectConfiguration,
      charts_metrics: config.rateLimitChartsMetrics,
    };
    this.limits = new Map(
      Object.entries(perMinute)
        .filter(([, max]) => max > 0)
        .map(([name, max]) => [name, { name, max, windowMs: MINUTE_MS, aligned: true }]),
    );
  }

  /** Returns the limit that applies to a request; null for most. Runs no query. */
  limitOf(request: ApiRequest, principal: Principal, permission: Permission | undefined): RateLimit | null {
    if (this.limits.size === 0 || permission === undefined || !V2_PATH.test(request.originalUrl)) return null;
    const limit = this.limits.get(permission.slice(0, permission.indexOf(':')));
    // A dashboard loads many charts at once.
    if (limit?.name === 'charts_metrics' && principal.kind === 'session') return null;
    return limit ?? null;
  }

  /** Returns the usage to the client in headers. @throws ApiError 429 */
  async count(
    limit: RateLimit,
    request: ApiRequest,
    response: Response,
    principal: Principal,
  ): Promise<void> {
    const subject = callerOf(principal);
    const tenantId = (request.params.project_id as string | undefined) ?? subject;
    const { allowed, hits, resetsAt } = await this.limiter.hit(limit, tenantId, subject);
    response.setHeader(USAGE_HEADER, String(hits));
    response.setHeader(LIMIT_HEADER, String(limit.max));
    if (allowed) return;
    throw this.limiter.refusal(`More than ${limit.max} requests a minute for ${limit.name}.`, resetsAt);
  }
}
