import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import {
  type DayOfDeliveries,
  type FailingIntegration,
  type IntegrationCounts,
  DeliveryHealthRepository,
} from './delivery-health.repository.js';

const DAY_MS = 86_400_000;
/** Limit per integration: millions of deliveries a day must not slow down its status. */
const COUNTED = 10_000;

export interface DeliveryHealth extends DayOfDeliveries {
  failing: FailingIntegration[];
}

@Injectable()
export class DeliveryHealthService {
  constructor(
    private readonly repository: DeliveryHealthRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Health based on the deliveries of the last 24 hours and the last delivery of each integration. */
  async forProject(projectId: string): Promise<DeliveryHealth> {
    const since = new Date(this.clock.nowMs() - DAY_MS);
    const [day, failing] = await Promise.all([
      this.repository.since(projectId, since),
      this.repository.failing(projectId),
    ]);
    return { ...day, failing };
  }

  /** Counts of the last 24 hours and of waiting deliveries, by id; at most 10,000 deliveries of each. */
  async countsFor(projectId: string, ids: string[]): Promise<Map<string, IntegrationCounts>> {
    const nowMs = this.clock.nowMs();
    const times = { from: new Date(nowMs - DAY_MS), now: new Date(nowMs) };
    const rows = await this.repository.byIntegration(projectId, ids, times, COUNTED);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
