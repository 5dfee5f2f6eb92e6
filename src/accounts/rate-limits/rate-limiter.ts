import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../config/clock.token.js';
import { ApiError } from '../../http/api-error.js';
import { RateLimitsRepository } from './rate-limits.repository.js';

/** At most `max` hits of one subject in a window that starts with its first hit. */
export interface RateLimit {
  /** Tells limits apart; part of the stored bucket. */
  name: string;
  max: number;
  windowMs: number;
}

/** A hit that was allowed and can be taken back. */
export interface CountedHit {
  bucket: string;
  resetsAt: Date;
}

/** Fixed-window counters in the database, so that all replicas count together. */
@Injectable()
export class RateLimiter {
  constructor(
    @Inject(RateLimitsRepository) private readonly repository: RateLimitsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Counts one hit for each of the limits, or for none of them when one is used up.
   * @throws ApiError 429 with the seconds until the window of that limit ends.
   */
  async count(...subjects: [limit: RateLimit, subject: string][]): Promise<CountedHit[]> {
    const hits: CountedHit[] = [];
    try {
      for (const [limit, subject] of subjects) hits.push(await this.countOne(limit, subject));
    } catch (error) {
      await this.takeBack(hits);
      throw error;
    }
    return hits;
  }

  /** Takes hits back that turned out not to count. */
  async takeBack(hits: CountedHit[]): Promise<void> {
    for (const { bucket, resetsAt } of hits) await this.repository.uncount(bucket, resetsAt);
  }

  /** Forgets windows that are over. */
  async prune(): Promise<void> {
    await this.repository.deleteEnded(new Date(this.clock.nowMs()));
  }

  private async countOne(limit: RateLimit, subject: string): Promise<CountedHit> {
    const nowMs = this.clock.nowMs();
    const bucket = `${limit.name}:${subject}`;
    const newEnd = new Date(nowMs + limit.windowMs);
    const resetsAt = await this.repository.count(bucket, limit.max, new Date(nowMs), newEnd);
    if (resetsAt) return { bucket, resetsAt };
    const blockedUntil = await this.repository.resetsAt(bucket);
    const waitMs = (blockedUntil?.getTime() ?? nowMs) - nowMs;
    throw new ApiError('rate_limited', 'Too many attempts. Try again later.', {
      retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
}
