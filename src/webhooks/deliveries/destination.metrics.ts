import { Inject, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { definitions } from '../../../libs/destinations/index.js';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { gaugeReading } from '../../platform/observability/gauge-reading.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { AttemptResult } from './deliveries.repository.js';
import type { DeliveryReason } from './delivery-reason.js';
import type { IntegrationType } from './integrations/integration.entity.js';
import { WaitingDeliveriesRepository } from './waiting/waiting-deliveries.repository.js';

const skipReasons: readonly DeliveryReason[] = [
  'missing_attribute',
  'no_consent',
  'test_clock',
  'before_start',
  'event_off',
  'grant',
  'family_share',
  'too_old',
  'no_sandbox_key',
  'no_stream',
  'no_money_back',
  'bad_attribute',
  'opted_out',
];

const results = ['delivered', 'retry', 'limited', 'refused', 'rejected'] as const;

function resultOf({ verdict }: AttemptOutcome): (typeof results)[number] {
  if (verdict === 'duplicate') return 'delivered';
  if (verdict === 'gone') return 'refused';
  return verdict === 'skipped' ? 'rejected' : verdict;
}

/** Attempts of all types but webhooks. */
@Injectable()
export class DestinationMetrics {
  private readonly attempts: Counter<'type' | 'result'>;
  private readonly skips: Counter<'reason'>;

  constructor(
    private readonly registry: Registry,
    private readonly waiting: WaitingDeliveriesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.attempts = new Counter({
      name: 'tenure_destination_attempts_total',
      help: 'Attempts to send an event to a destination, by type of destination and result.',
      labelNames: ['type', 'result'],
      registers: [registry],
    });
    for (const { id: type } of definitions) {
      for (const result of results) this.attempts.inc({ type, result }, 0);
    }
    this.skips = new Counter({
      name: 'tenure_destination_skipped_total',
      help: 'Events that were not sent to a destination, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of skipReasons) this.skips.inc({ reason }, 0);
    this.addGauge();
  }

  attempted(type: IntegrationType, { status, reason }: AttemptResult, outcome: AttemptOutcome): void {
    if (outcome.url !== null) this.attempts.inc({ type, result: resultOf(outcome) });
    if (status === 'skipped' && reason !== null) this.skipped(reason);
  }

  skipped(reason: DeliveryReason): void {
    this.skips.inc({ reason });
  }

  /** Queried at each scrape, so that every replica reports the same value. */
  private addGauge(): void {
    const { registry, waiting, clock } = this;
    new Gauge({
      name: 'tenure_destination_waiting',
      aggregator: 'max',
      help: 'Events that wait for an attribute of their customer; NaN without the database.',
      registers: [registry],
      async collect() {
        this.set((await gaugeReading(() => waiting.count(new Date(clock.nowMs())))) ?? Number.NaN);
      },
    });
  }
}
