import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { deleteInBatches } from '../../../platform/jobs/batches.js';
import { useHistory } from '../../events/history-lock.sql.js';
import type { IntegrationKey } from '../log/delivery-log.repository.js';
import type { Replay } from './replay.entity.js';
import * as sql from './replays.sql.js';

export type ReplayRequest = Omit<Replay, 'projectId' | 'webhookIntegrationId' | 'queued'>;

/** A replay and the status of its deliveries, excluding those already deleted. */
export interface ReplayProgress extends Omit<Replay, 'projectId'> {
  pending: number;
  delivered: number;
  failed: number;
  /** Null before the first attempt. */
  lastAttemptEndedAt: Date | null;
}

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Queues at most `limit` events, spread over time, and returns their number. */
  async insert(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    { id, eventsFrom, eventsTo, eventTypes, deliveries, requestedAt }: ReplayRequest,
    { limit, perSecond }: { limit: number; perSecond: number },
  ): Promise<number> {
    await tx.query(useHistory, [projectId]);
    const span = [projectId, integrationId, eventsFrom, eventsTo, eventTypes];
    const values = [...span, limit, requestedAt, perSecond, id, deliveries];
    const command = deliveries === 'failed' ? sql.replayFailed : sql.replayAll;
    const [row] = await tx.query<{ queued: number }>(command, values);
    return row?.queued ?? 0;
  }

  async find({ projectId, integrationId }: IntegrationKey, id: string): Promise<ReplayProgress | null> {
    const [row] = await this.database.query<ReplayProgress>(sql.find, [projectId, integrationId, id]);
    return row ?? null;
  }

  page(
    { projectId, integrationId }: IntegrationKey,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<ReplayProgress[]> {
    const values = [projectId, integrationId, ...(after ?? [null, null]), limit + 1];
    return this.database.forReading.query(sql.page, values);
  }

  async deleteRequestedBefore(time: Date): Promise<void> {
    await deleteInBatches(async (limit) => {
      const [row] = await this.database.query<{ deleted: number }>(sql.forgetDeliveries, [time, limit]);
      return row?.deleted ?? 0;
    });
    await this.database.query(sql.forget, [time]);
  }
}
