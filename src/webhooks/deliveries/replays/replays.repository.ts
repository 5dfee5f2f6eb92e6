import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { cleanUp, deleteInBatches } from '../../../platform/jobs/batches.js';
import { useHistory } from '../../events/history-lock.sql.js';
import type { IntegrationKey } from '../log/delivery-log.repository.js';
import type { Replay } from './replay.entity.js';
import * as sql from './replays.sql.js';
import * as unsent from './unsent-events.sql.js';

export type ReplayRequest = Omit<
  Replay,
  'projectId' | 'webhookIntegrationId' | 'queued' | 'alreadyDelivered'
>;

/** An event that a replay sends, or the delivery that failed to bring it. */
export interface ReplayItem {
  id: string;
  createdAt: Date;
}

export interface ReplayCandidate extends ReplayItem {
  isDelivered: boolean;
  /** A delivery of the event is pending, or waits for an attribute. */
  isOpen: boolean;
}

export interface ChosenForReplay {
  chosen: ReplayItem[];
  alreadyDelivered: number;
  perSecond: number;
}

/** A replay and the status of its deliveries, excluding those already deleted. */
export interface ReplayProgress extends Omit<Replay, 'projectId'> {
  pending: number;
  delivered: number;
  failed: number;
  waiting: number;
  skipped: number;
  /** Null before the first attempt. */
  lastAttemptEndedAt: Date | null;
}

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Failed deliveries of the range, or all events that match the integration, whatever was sent; at most `limit`. */
  async all(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    { eventsFrom, eventsTo, eventTypes, deliveries }: ReplayRequest,
    limit: number,
  ): Promise<ReplayItem[]> {
    await tx.query(useHistory, [projectId]);
    const command = deliveries === 'failed' ? unsent.failedDeliveries : unsent.allEvents;
    return tx.query<ReplayItem>(command, [projectId, integrationId, eventsFrom, eventsTo, eventTypes, limit]);
  }

  /** Failed and skipped deliveries of the range, or all events that match the integration; at most `limit`. */
  async candidates(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    { eventsFrom, eventsTo, eventTypes, deliveries, requestedAt }: ReplayRequest,
    limit: number,
  ): Promise<ReplayCandidate[]> {
    await tx.query(useHistory, [projectId]);
    const command = deliveries === 'failed' ? unsent.unsentDeliveries : unsent.matchingEvents;
    const range = [eventsFrom, eventsTo, eventTypes, requestedAt, limit];
    return tx.query<ReplayCandidate>(command, [projectId, integrationId, ...range]);
  }

  /** Queues items, spread over time, and records the replay. Returns the number of queued ones. */
  async insert(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    { id, eventsFrom, eventsTo, eventTypes, deliveries, requestedAt }: ReplayRequest,
    { chosen, alreadyDelivered, perSecond }: ChosenForReplay,
  ): Promise<number> {
    const key = [projectId, integrationId];
    const startMs = requestedAt.getTime();
    const items = [
      chosen.map((item) => item.id),
      chosen.map((item) => item.createdAt),
      chosen.map((_, index) => new Date(startMs + Math.floor((index * 1000) / perSecond))),
    ];
    const sent = await (deliveries === 'failed'
      ? tx.query<ReplayItem>(unsent.sendDeliveries, [...key, ...items])
      : tx.query<ReplayItem>(unsent.sendEvents, [...key, ...items, requestedAt, requestedAt.toISOString()]));
    const range = [eventsFrom, eventsTo, eventTypes, deliveries];
    const counts = [sent.length, alreadyDelivered, requestedAt];
    await tx.query(unsent.insertReplay, [...key, id, ...range, ...counts]);
    const [sentTimes, sentIds] = [sent.map((row) => row.createdAt), sent.map((row) => row.id)];
    await tx.query(unsent.insertReplayDeliveries, [projectId, id, sentTimes, sentIds]);
    return sent.length;
  }

  async find(
    { projectId, integrationId }: IntegrationKey,
    id: string,
    now: Date,
  ): Promise<ReplayProgress | null> {
    const [row] = await this.database.query<ReplayProgress>(sql.find, [projectId, integrationId, id, now]);
    return row ?? null;
  }

  page(
    { projectId, integrationId }: IntegrationKey,
    { limit }: PageRequest,
    { after, now }: { after: Place | null; now: Date },
  ): Promise<ReplayProgress[]> {
    const values = [projectId, integrationId, ...(after ?? [null, null]), limit + 1, now];
    return this.database.forReading.query(sql.page, values);
  }

  async deleteRequestedBefore(time: Date): Promise<void> {
    await deleteInBatches(() => cleanUp(this.database, sql.forgetDeliveries, [time]));
    await this.database.query(sql.forget, [time]);
  }
}
