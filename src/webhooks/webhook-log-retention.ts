import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { Log } from '../observability/log.js';
import { DeliveryLogRepository } from './delivery-log.repository.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows of each project in one statement: short enough to be in nobody's way. */
const BATCH = 1000;

/** Ends the webhook log after the configured time. Any number of replicas may do it at once. */
@Injectable()
export class WebhookLogRetention {
  constructor(
    @Inject(DeliveryLogRepository) private readonly log: DeliveryLogRepository,
    @Inject(Config) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Log) private readonly logger: Log,
  ) {}

  @Interval('webhook-log-retention', HOUR_MS)
  async run(): Promise<void> {
    try {
      const deleted = await this.prune();
      if (deleted > 0) this.logger.info({ deleted }, 'dropped old webhook deliveries and attempts');
    } catch (error) {
      this.logger.error(
        { err: error },
        'old webhook deliveries could not be dropped; the next hour tries again',
      );
    }
  }

  /** Deletes all that is too old, batch by batch; gives how many rows. */
  async prune(batch = BATCH): Promise<number> {
    const before = new Date(this.clock.nowMs() - this.config.webhookLogDays * DAY_MS);
    let all = 0;
    for (;;) {
      const deleted = await this.log.prune(before, batch);
      all += deleted;
      if (deleted === 0) return all;
    }
  }
}
