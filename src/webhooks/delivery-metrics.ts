import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { type AttemptResult, DeliveriesRepository } from './deliveries.repository.js';

const results = { delivered: 'delivered', pending: 'retry', failed: 'failed' } as const;

/** What operators watch: outcomes, how fast first attempts are, and whether anything is stuck. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter;
  private readonly firstAttempt: Histogram;

  constructor(
    @Inject(Registry) registry: Registry,
    @Inject(DeliveriesRepository) deliveries: DeliveriesRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.attempts = new Counter({
      name: 'tenure_webhook_attempts_total',
      help: 'Webhook attempts by what became of the delivery.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of Object.values(results)) this.attempts.inc({ result }, 0);
    this.firstAttempt = new Histogram({
      name: 'tenure_webhook_first_attempt_delay_seconds',
      help: 'From the moment an event was recorded to the first attempt to deliver it.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60],
      registers: [registry],
    });
    new Gauge({
      name: 'tenure_webhook_oldest_due_seconds',
      help: 'How long the delivery that has waited longest has been due; NaN without the database.',
      registers: [registry],
      async collect() {
        try {
          const dueAt = await deliveries.oldestDue();
          this.set(dueAt ? Math.max(0, (clock.nowMs() - dueAt.getTime()) / 1000) : 0);
        } catch {
          // The other metrics are wanted most of all while the database is away.
          this.set(Number.NaN);
        }
      },
    });
  }

  /** `firstDelayMs`: null for a retry. */
  attempted(firstDelayMs: number | null, status: AttemptResult['status']): void {
    this.attempts.inc({ result: results[status] });
    if (firstDelayMs !== null) this.firstAttempt.observe(Math.max(0, firstDelayMs) / 1000);
  }
}
