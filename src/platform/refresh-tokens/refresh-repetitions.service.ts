import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { LogService } from '../observability/log.service.js';
import { type RateLimit, RateLimiterService } from '../rate-limits/rate-limiter.service.js';
import type { RepetitionRules } from './replaced-token.policy.js';

const repetitions: RateLimit = { name: 'refresh_repeats', max: 20, windowMs: 3_600_000 };

/** When requests are sent together, a busy process may read the last one this long after responding to the first. */
const BURST_MS = 2000;

const kinds = ['customer', 'oauth'] as const;
export type RefreshTokenKind = (typeof kinds)[number];

/** A replaced token that was accepted again and answered with its successor. */
export interface Repetition {
  projectId: string;
  /** Id of the session or grant. */
  ownerId: string;
  generation: number;
  replacedAgoMs: number;
  /** Time that the request had waited for others of the same session. */
  waitedMs: number;
}

/** The rules for replaced refresh tokens that customer sign-in and OAuth share. */
@Injectable()
export class RefreshRepetitionsService {
  private readonly reused: Counter<'kind'>;

  constructor(
    private readonly config: Config,
    private readonly limiter: RateLimiterService,
    registry: Registry,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.reused = new Counter({
      name: 'tenure_refresh_token_reused_total',
      help: 'Sessions and grants that ended because a replaced refresh token was presented again, by kind.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of kinds) this.reused.inc({ kind }, 0);
  }

  rules(lifetimeMs: number): RepetitionRules {
    return { nowMs: this.clock.nowMs(), lifetimeMs, graceMs: this.config.refreshRepeatSeconds * 1000 };
  }

  /** Does not count requests sent together with the one that replaced the token. @throws ApiError 429 */
  async count({ projectId, ownerId, generation, replacedAgoMs, waitedMs }: Repetition): Promise<void> {
    if (replacedAgoMs - waitedMs <= BURST_MS) return;
    const { allowed, resetsAt } = await this.limiter.hit(repetitions, projectId, `${ownerId}:${generation}`);
    if (allowed) return;
    const message = 'The token was refreshed too often. Try again later.';
    const { details } = this.limiter.refusal(message, resetsAt);
    throw new ApiError('rate_limited', message, { ...details, code: 7110 });
  }

  recordReuse(kind: RefreshTokenKind, projectId: string, ownerId: string): void {
    this.reused.inc({ kind });
    this.log.warn(
      { kind, project_id: projectId, id: ownerId },
      'a replaced refresh token was presented again; its session ends',
    );
  }
}
