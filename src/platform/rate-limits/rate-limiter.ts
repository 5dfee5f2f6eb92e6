import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { ApiError } from '../http/api-error.js';
import { deleteInBatches } from '../jobs/batches.js';
import { type Bucket, RateLimitsRepository } from './rate-limits.repository.js';

/** At most `max` hits of one subject in a window. */
export interface RateLimit {
  /** Tells limits apart; part of the stored bucket. */
  name: string;
  max: number;
  windowMs: number;
  /** Absent: a window starts with its first hit. True: windows are those of the clock. */
  aligned?: boolean;
}

/** A hit that was allowed and can be taken back. */
export interface CountedHit extends Bucket {
  resetsAt: Date;
}

/** How much of a limit is used. */
export interface Usage {
  allowed: boolean;
  hits: number;
  resetsAt: Date;
}

const NO_TENANT = '';

function bucketOf(limit: RateLimit, subject: string): string {
  return `${limit.name}:${subject}`;
}

/** Fixed-window counters in the database, so that all replicas count together. */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly repository: RateLimitsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts one hit of nobody yet for each of the limits, or for none of them when one is used up.
   * @throws ApiError 429 with the seconds until the window of that limit ends.
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
      await this.takeBack(hits);
      throw error;
    }
    return hits;
  }

  /** Counts one hit of a tenant's subject, if the limit has one left. */
  async hit(limit: RateLimit, tenantId: string, subject: string): Promise<Usage> {
    const nowMs = this.clock.nowMs();
    const startMs = limit.aligned ? nowMs - (nowMs % limit.windowMs) : nowMs;
    const newEnd = new Date(startMs + limit.windowMs);
    const bucket = { tenantId, bucket: bucketOf(limit, subject) };
    const count = await this.repository.count(bucket, limit.max, new Date(nowMs), newEnd);
    return { ...count, resetsAt: count.resetsAt ?? newEnd };
  }

  /** The answer to a hit that was not allowed. */
  refusal(message: string, resetsAt: Date): ApiError {
    const waitMs = resetsAt.getTime() - this.clock.nowMs();
    return new ApiError('rate_limited', message, { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  /** Takes hits back that turned out not to count. */
  async takeBack(hits: CountedHit[]): Promise<void> {
    for (const hit of hits) await this.repository.uncount(hit, hit.resetsAt);
  }

  /** Forgets windows that are over. */
  async prune(): Promise<void> {
    const now = new Date(this.clock.nowMs());
    await deleteInBatches((limit) => this.repository.deleteEnded(now, limit));
  }
}
