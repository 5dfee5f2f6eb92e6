import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { DatabaseService } from '../database/database.service.js';
import { LogService } from '../observability/log.service.js';
import { databaseTime } from './clock-skew.sql.js';
import { DatabaseClockService } from './database-clock.service.js';

const EVERY_MS = 5 * 60_000;
const SAMPLES = 3;
const WARN_ABOVE_MS = 1_000;

export interface Skew {
  /** Positive: the process is ahead of the database. */
  skewMs: number;
  /** The skew's error is at most half of it. */
  roundTripMs: number;
  /** The database's time, and the monotonic time at which it was that. */
  databaseMs: number;
  monotonicMs: number;
}

/**
 * Uses the fastest of several readings, which is the most exact. Assumes a clock read halfway through the round trip.
 */
export async function measureSkew(
  databaseMs: () => Promise<number>,
  clock: Clock,
  monotonicMs: () => number = () => performance.now(),
): Promise<Skew> {
  let best: Skew | null = null;
  for (let count = 0; count < SAMPLES; count++) {
    const askedAtMs = monotonicMs();
    const theirsMs = await databaseMs();
    const oursMs = clock.nowMs();
    const answeredAtMs = monotonicMs();
    const roundTripMs = answeredAtMs - askedAtMs;
    if (best && best.roundTripMs <= roundTripMs) continue;
    const nowMs = theirsMs + roundTripMs / 2;
    best = { skewMs: oursMs - nowMs, roundTripMs, databaseMs: nowMs, monotonicMs: answeredAtMs };
  }
  if (!best) throw new Error('no reading was taken');
  return best;
}

@Injectable()
export class ClockSkewService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly gauge: Gauge;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly database: DatabaseService,
    private readonly databaseClock: DatabaseClockService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    this.gauge = new Gauge({
      name: 'tenure_clock_skew_seconds',
      // Processes of one machine share its clock.
      aggregator: 'first',
      help: 'By how much the clock of the process is ahead of that of the database; NaN while that is not known.',
      registers: [registry],
    });
    this.gauge.set(Number.NaN);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.compare();
    this.timer = setInterval(() => void this.compare(), EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.running;
  }

  compare(): Promise<void> {
    this.running ??= this.measure().finally(() => (this.running = null));
    return this.running;
  }

  private async measure(): Promise<void> {
    try {
      const reading = await measureSkew(() => this.databaseMs(), this.clock);
      const { skewMs, roundTripMs } = reading;
      this.databaseClock.set(reading);
      this.gauge.set(skewMs / 1000);
      if (Math.abs(skewMs) - roundTripMs / 2 <= WARN_ABOVE_MS) return;
      const skewSeconds = Math.round(skewMs) / 1000;
      this.log.warn(
        { skewSeconds },
        `the clock of this process is ${Math.abs(skewSeconds)} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the ` +
          'database: work is done too early or too late; keep both machines on time, with NTP',
      );
    } catch (error) {
      this.gauge.set(Number.NaN);
      this.log.warn({ err: error }, 'the clock could not be compared with the database clock');
    }
  }

  private async databaseMs(): Promise<number> {
    const [row] = await this.database.query<{ atMs: number }>(databaseTime, []);
    if (!row) throw new Error('the database returned no time');
    return row.atMs;
  }
}
