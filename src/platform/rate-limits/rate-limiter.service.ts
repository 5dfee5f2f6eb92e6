import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Transaction } from '../database/database.service.js';
import { ApiError } from '../http/errors/api-error.js';
import { type Bucket, RateLimitsRepository } from './rate-limits.repository.js';

/** At most `max` hits of one subject in a window. */
export interface RateLimit {
  /** Part of the stored bucket. */
  name: string;
  max: number;
  windowMs: number;
  /** True: windows follow the clock. Absent: a window starts with its first hit. */
  aligned?: boolean;
}

export interface CountedHit extends Bucket {
  resetsAt: Date;
}

export interface Usage {
  allowed: boolean;
  hits: number;
  resetsAt: Date;
}

const NO_TENANT = '';

function bucketOf(limit: RateLimit, subject: string): string {
  return `${limit.name}:${subject}`;
}

/** Fixed-window counters in the database, shared by all replicas. */
@Injectable()
export class RateLimiterService {
  constructor(
    private readonly repository: RateLimitsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts one hit without a tenant for each limit, or none if any limit is exceeded.
   * @throws ApiError 429 with the seconds until that limit's window ends
   */
  async count(...subjects: [limit: RateLimit, subject: string][]): Promise<CountedHit[]> {
    const hits: CountedHit[] = [];
    try {
      for (const [limit, subject] of subjects) {
        const { allowed, resetsAt } = await this.hit(limit, NO_TENANT, subject);
        if (!allowed) throw this.refusal('Too many attempts. Try again later.', resetsAt);
        hits.push({ tenantId: NO_TENANT, bucket: bucketOf(limit, subject), resetsAt });
      }
    } catch (error) {
      await this.revert(hits);
      throw error;
    }
    return hits;
  }

  async hit(limit: RateLimit, tenantId: string, subject: string): Promise<Usage> {
    const nowMs = this.clock.nowMs();
    const startMs = limit.aligned ? nowMs - (nowMs % limit.windowMs) : nowMs;
    const newEnd = new Date(startMs + limit.windowMs);
    const bucket = { tenantId, bucket: bucketOf(limit, subject) };
    const count = await this.repository.count(bucket, limit.max, new Date(nowMs), newEnd);
    return { ...count, resetsAt: count.resetsAt ?? newEnd };
  }

  refusal(message: string, resetsAt: Date): ApiError {
    const waitMs = resetsAt.getTime() - this.clock.nowMs();
    return new ApiError('rate_limited', message, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  /**
   * Runs `check`, which returns null for a wrong guess. The guess is counted before, so that parallel ones cannot slip
   * through, and the count is reverted unless the guess is wrong.
   * @throws ApiError 429
   */
  async countGuess<T>(
    subjects: [limit: RateLimit, subject: string][],
    check: () => Promise<T | null>,
  ): Promise<T | null> {
    const hits = await this.count(...subjects);
    let isWrong = false;
    try {
      const checked = await check();
      isWrong = checked === null;
      return checked;
    } finally {
      if (!isWrong) await this.revert(hits);
    }
  }

  /** Resets the window of a subject. */
  forget(tx: Transaction, limit: RateLimit, subject: string): Promise<void> {
    return this.repository.delete(tx, { tenantId: NO_TENANT, bucket: bucketOf(limit, subject) });
  }

  private async revert(hits: CountedHit[]): Promise<void> {
    for (const hit of hits) await this.repository.uncount(hit, hit.resetsAt);
  }
}
