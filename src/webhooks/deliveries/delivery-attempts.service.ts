import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Batcher } from '../../platform/database/batcher.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { Lease } from '../../platform/jobs/leased-work.js';
import { type AttemptOutcome, resultOf } from './attempt-outcome.js';
import { EndpointHealthRecorder } from './circuits/endpoint-health.recorder.js';
import { type ClaimedDelivery, DeliveriesRepository, type FinishedAttempt } from './deliveries.repository.js';
import { DeliverySendersService } from './delivery-senders.service.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { DestinationMetrics } from './destination.metrics.js';
import { WaitingDeliveriesService } from './waiting/waiting-deliveries.service.js';

/** Maximum number of successes recorded in one transaction. */
const MAX_TOGETHER = 50;

@Injectable()
export class DeliveryAttemptsService {
  private readonly successes: Batcher<FinishedAttempt, { isOpen: boolean } | null>;

  constructor(
    private readonly senders: DeliverySendersService,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointHealthRecorder,
    private readonly waiting: WaitingDeliveriesService,
    private readonly metrics: DeliveryMetrics,
    private readonly destinationMetrics: DestinationMetrics,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.successes = new Batcher((attempts) => this.finish(attempts), {
      maxRunning: 2,
      maxItems: MAX_TOGETHER,
      groupOf: ({ delivery }) => delivery.projectId,
    });
  }

  /** Sends a delivery once and records the attempt unless the lease was lost. */
  async attempt(delivery: ClaimedDelivery, lease: Lease): Promise<void> {
    const startedAtMs = this.clock.nowMs();
    const outcome = await this.senders
      .forType(delivery.type)
      .send(delivery, (info) => this.deliveries.freezeCustomerInfo(delivery, info));
    await lease.record((leaseUntil) =>
      outcome.verdict === 'waiting'
        ? this.waiting.record(delivery, leaseUntil, outcome)
        : this.record(delivery, leaseUntil, outcome, startedAtMs),
    );
  }

  private async record(
    delivery: ClaimedDelivery,
    leaseUntil: Date,
    outcome: AttemptOutcome,
    startedAtMs: number,
  ): Promise<void> {
    const result = resultOf(delivery, outcome, new Date(startedAtMs), this.clock.nowMs());
    if (delivery.type === 'webhook')
      this.metrics.attempted(delivery, startedAtMs, result.status, outcome.kind);
    else this.destinationMetrics.attempted(delivery.type, result, outcome);
    const attempt = { delivery, leaseUntil, result };
    if (result.status !== 'delivered') await this.recordFailure(attempt, outcome);
    else if (outcome.pauseMs === null) await this.recordSuccess(attempt);
    else await this.recordPacedSuccess(attempt, outcome.pauseMs);
  }

  private async recordFailure(attempt: FinishedAttempt, outcome: AttemptOutcome): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [recorded] = await this.deliveries.finish(tx, [attempt]);
      if (recorded) await this.endpoints.record(tx, attempt.delivery, outcome);
    });
  }

  /** Records the success together with the pause that follows it. */
  private async recordPacedSuccess(attempt: FinishedAttempt, pauseMs: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [recorded] = await this.deliveries.finish(tx, [attempt]);
      if (!recorded) return;
      if (recorded.isOpen) await this.endpoints.recordSuccess(tx, attempt.delivery);
      await this.endpoints.recordPause(tx, attempt.delivery, pauseMs);
    });
  }

  private finish(attempts: FinishedAttempt[]): Promise<({ isOpen: boolean } | null)[]> {
    return this.database.transaction((tx) => this.deliveries.finish(tx, attempts));
  }

  /** Records the success together with concurrent ones of the project, and closes an open circuit. */
  private async recordSuccess(attempt: FinishedAttempt): Promise<void> {
    const recorded = await this.successes
      .submit(attempt)
      // Another attempt's row may have caused the failure.
      .catch(async () => (await this.finish([attempt]))[0]);
    if (!recorded?.isOpen) return;
    await this.database.transaction((tx) => this.endpoints.recordSuccess(tx, attempt.delivery));
  }
}
