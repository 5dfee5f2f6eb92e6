import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import {
  type DayOfDeliveries,
  type FailingIntegration,
  WebhookHealthRepository,
} from './webhook-health.repository.js';

const DAY_MS = 86_400_000;

export interface WebhookHealth extends DayOfDeliveries {
  failing: FailingIntegration[];
}

@Injectable()
export class WebhookHealthService {
  constructor(
    private readonly repository: WebhookHealthRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of the deliveries of the last 24 hours, and of the last delivery of each integration. */
  async of(projectId: string): Promise<WebhookHealth> {
    const since = new Date(this.clock.nowMs() - DAY_MS);
    const [day, failing] = await Promise.all([
      this.repository.since(projectId, since),
      this.repository.failing(projectId),
    ]);
    return { ...day, failing };
  }
}
