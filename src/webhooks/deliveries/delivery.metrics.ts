import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DueAges } from '../../platform/jobs/due-age.js';
import { gaugeReading } from '../../platform/observability/gauge-reading.js';
import { CircuitsRepository } from './circuits/circuits.repository.js';
import { type AttemptResult, type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';

const results = { delivered: 'delivered', pending: 'retry', failed: 'failed', skipped: 'failed' } as const;

/** State of an endpoint before the attempt: its circuit was open, its last attempt failed, or neither. */
const endpointClasses = ['healthy', 'failing', 'probed'] as const;

type Attempted = Pick<ClaimedDelivery, 'attempts' | 'replay' | 'isProbe' | 'endpointFailures' | 'createdAt'>;

function endpointClass({ isProbe, endpointFailures }: Attempted): (typeof endpointClasses)[number] {
  if (isProbe) return 'probed';
  return endpointFailures > 0 ? 'failing' : 'healthy';
}

@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter;
  private readonly answers: Counter;
  private readonly firstAttempt: Histogram<'webhook'>;

  constructor(
    private readonly registry: Registry,
    private readonly deliveries: DeliveriesRepository,
    private readonly circuits: CircuitsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.attempts = new Counter({
      name: 'tenure_webhook_attempts_total',
      help: 'Webhook attempts by outcome of the delivery and previous state of the endpoint.',
      labelNames: ['webhook', 'result'],
      registers: [registry],
    });
    for (const webhook of endpointClasses) {
      for (const result of Object.values(results)) this.attempts.inc({ webhook, result }, 0);
    }
    this.answers = new Counter({
      name: 'tenure_webhook_answers_total',
      help: 'Webhook attempts by status (200, 410, 429, 2xx, ...), or by why there was no answer.',
      labelNames: ['answer'],
      registers: [registry],
    });
    // Starts at 0, so that the first one counts as an increase.
    this.answers.inc({ answer: 'not_sent' }, 0);
    this.firstAttempt = new Histogram({
      name: 'tenure_webhook_first_attempt_delay_seconds',
      help: 'Time from the recording of an event to the first delivery attempt, by the previous state of the endpoint; without replays.',
      labelNames: ['webhook'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60],
      registers: [registry],
    });
    for (const webhook of endpointClasses) this.firstAttempt.zero({ webhook });
    this.addGauges();
  }

  attempted(delivery: Attempted, startedAtMs: number, status: AttemptResult['status'], answer: string): void {
    const webhook = endpointClass(delivery);
    this.attempts.inc({ webhook, result: results[status] });
    this.answers.inc({ answer });
    if (delivery.attempts > 0 || delivery.replay) return;
    this.firstAttempt.observe({ webhook }, Math.max(0, startedAtMs - delivery.createdAt.getTime()) / 1000);
  }

  /** Queried at each scrape, so that every replica reports the same values. */
  private addGauges(): void {
    const { registry, deliveries, circuits, clock } = this;
    const ages = new DueAges(clock, [() => deliveries.oldestDue()]);
    new Gauge({
      name: 'tenure_webhook_oldest_due_seconds',
      aggregator: 'max',
      help: 'How long the delivery that has waited longest has been due; NaN without the database.',
      registers: [registry],
      async collect() {
        const [seconds = Number.NaN] = await ages.seconds();
        this.set(seconds);
      },
    });
    new Gauge({
      name: 'tenure_webhook_circuits',
      aggregator: 'max',
      help: 'Endpoints whose circuit is open, or half open (the next delivery probes); NaN without the database.',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const counts = await gaugeReading(() => circuits.count(new Date(clock.nowMs())));
        this.set({ state: 'open' }, counts?.open ?? Number.NaN);
        this.set({ state: 'half_open' }, counts?.halfOpen ?? Number.NaN);
      },
    });
  }
}
