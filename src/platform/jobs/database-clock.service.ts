import { Inject, Injectable } from '@nestjs/common';
import { type Clock, systemClock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import type { Skew } from './clock-skew.service.js';

/** A smaller difference is within the error of a reading. */
const EXACT_TO_MS = 1_000;

/**
 * The database's time, for deadlines that must not pass because a machine's clock jumps. It is the process's clock, less
 * the lead of the machine's clock over the latest reading of the database's clock plus the monotonic time since.
 */
@Injectable()
export class DatabaseClockService implements Clock {
  private reading: Pick<Skew, 'databaseMs' | 'monotonicMs'> | null = null;

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  set({ databaseMs, monotonicMs }: Pick<Skew, 'databaseMs' | 'monotonicMs'>): void {
    this.reading = { databaseMs, monotonicMs };
  }

  nowMs(): number {
    return this.clock.nowMs() - this.leadMs();
  }

  private leadMs(): number {
    if (!this.reading) return 0;
    const { databaseMs, monotonicMs } = this.reading;
    const leadMs = Math.round(systemClock.nowMs() - (databaseMs + performance.now() - monotonicMs));
    return Math.abs(leadMs) <= EXACT_TO_MS ? 0 : leadMs;
  }
}
