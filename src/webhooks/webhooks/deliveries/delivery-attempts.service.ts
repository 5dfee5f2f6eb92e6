import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import type { Lease } from '../../../platform/jobs/leased-work.js';
import { AttemptRecorder, resultOf } from './attempt.recorder.js';
import type { ClaimedDelivery } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery.metrics.js';
import { WebhookCustomerInfoService } from './webhook-customer-info.service.js';
import { WebhookSenderService } from './webhook-sender.service.js';

@Injectable()
export class DeliveryAttemptsService {
  constructor(
    private readonly sender: WebhookSenderService,
    private readonly customerInfo: WebhookCustomerInfoService,
    private readonly recorder: AttemptRecorder,
    private readonly metrics: DeliveryMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Makes the attempt and records it unless the lease was lost. */
  async make(delivery: ClaimedDelivery, lease: Lease): Promise<void> {
    const startedAtMs = this.clock.nowMs();
    const outcome = await this.sender.send(delivery, await this.customerInfo.of(delivery));
    const result = resultOf(delivery, outcome, new Date(startedAtMs), this.clock.nowMs());
    await lease.record(async (leaseUntil) => {
      this.metrics.attempted(delivery, startedAtMs, result.status, outcome.kind);
      await this.recorder.record(delivery, leaseUntil, result, outcome.reachedOut);
    });
  }
}
