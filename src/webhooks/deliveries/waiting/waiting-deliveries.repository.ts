import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor } from '../../../platform/database/database.service.js';
import type { ClaimedDelivery } from '../deliveries.repository.js';
import type { DeliveryReason } from '../delivery-reason.js';
import type { Wait } from './wait.js';
import * as sql from './waiting-deliveries.sql.js';

/** The metric is exact up to this number. */
const COUNTED = 1_000_000;

/** Queries on the deliveries that wait for attributes. */
@Injectable()
export class WaitingDeliveriesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** `dueAt`: null for a delivery that waits. Writes nothing if the lease was lost. */
  async record(
    executor: Executor,
    { projectId, createdAt, id }: ClaimedDelivery,
    leaseUntil: Date,
    { reason, attributes, until, customerId }: Wait,
    dueAt: Date | null,
  ): Promise<void> {
    const key = [projectId, createdAt, id, leaseUntil];
    await executor.query(sql.recordWait, [...key, reason, [...attributes.keys()], until, customerId, dueAt]);
  }

  async projectsWithEndedWaits(now: Date): Promise<string[]> {
    const rows = await this.database.query<{ projectId: string }>(sql.projectsWithEndedWaits, [now]);
    return rows.map(({ projectId }) => projectId);
  }

  /** Skips at most `limit` deliveries, and returns their reasons. */
  async skipEnded(projectId: string, now: Date, limit: number): Promise<DeliveryReason[]> {
    const rows = await this.database.query<{ reason: DeliveryReason }>(sql.skipEnded, [
      projectId,
      now,
      limit,
    ]);
    return rows.map(({ reason }) => reason);
  }

  async count(now: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(sql.countWaiting, [now, COUNTED]);
    return row?.count ?? 0;
  }
}
