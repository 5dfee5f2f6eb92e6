import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { type RateLimit, RateLimiterService } from '../../platform/rate-limits/rate-limiter.service.js';
import type { AgentPrincipal } from './agent-principal.js';
import { isMoneyTool } from './tool-access.policy.js';
import type { Tool } from './tool.js';

const MINUTE_MS = 60_000;
/** Fraction of a caller's limit for calls that may move money. */
const MONEY_PART = 6;

/** Limits models that call tools in a loop, in addition to the limits of REST. */
@Injectable()
export class McpRateLimitsService {
  private readonly calls: RateLimit;
  private readonly moneyCalls: RateLimit;

  constructor(
    private readonly limiter: RateLimiterService,
    { rateLimitMcp: max }: Config,
  ) {
    const minute = { windowMs: MINUTE_MS, aligned: true };
    this.calls = { ...minute, name: 'mcp', max };
    this.moneyCalls = { ...minute, name: 'mcp_money', max: Math.ceil(max / MONEY_PART) };
  }

  /** @throws ApiError 429 */
  async count(tool: Tool, principal: AgentPrincipal): Promise<void> {
    const { calls, moneyCalls } = this;
    if (calls.max === 0) return;
    // A person who connects a client twice has two grants, each with its own limit.
    const caller = principal.kind === 'oauth_token' ? principal.grantId : principal.keyId;
    const limits = isMoneyTool(tool) ? [moneyCalls, calls] : [calls];
    for (const limit of limits) {
      const { allowed, resetsAt } = await this.limiter.hit(limit, principal.projectId, caller);
      if (allowed) continue;
      const what = limit === moneyCalls ? 'calls of tools that move money' : 'calls of tools';
      throw this.limiter.refusal(`More than ${limit.max} ${what} a minute.`, resetsAt);
    }
  }
}
