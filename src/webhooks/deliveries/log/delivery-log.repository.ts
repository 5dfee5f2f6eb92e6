import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { type Place, placeByCreation } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import type { EventContent } from '../../events/events.repository.js';
import type { DeliveryReason } from '../delivery-reason.js';
import type { DeliveryStatus } from '../delivery.entity.js';
import type { IntegrationType } from '../integrations/integration.entity.js';
import * as sql from './delivery-log.sql.js';

/** What the event of a delivery is about; null if the event has expired or has no such field. */
export interface EventSummary {
  appUserId: string | null;
  /** Identifier at the store. */
  productId: string | null;
  /** In `currency`. */
  price: number | null;
  currency: string | null;
}

export interface TestEvent {
  id: string;
  /** JSON text. */
  body: string;
  about: EventSummary;
}

export interface TestDelivery {
  id: string;
  event: TestEvent;
  appId: string | null;
}

/** The event of a delivery, and what its first attempt stored. */
export interface DeliveryContent extends EventContent {
  /** JSON text. */
  customerInfo: string | null;
}

export interface DeliveryState {
  id: string;
  webhookIntegrationId: string;
  createdAt: Date;
  eventId: string;
  /** Upper case. */
  eventType: string;
  status: DeliveryStatus;
  attempts: number;
  replay: boolean;
  /** Null while the delivery is being sent, and if no further attempt is planned. */
  nextAttemptAt: Date | null;
  /** Set while the delivery is being sent. */
  leaseUntil: Date | null;
  /** The lease has not expired according to the database's clock. */
  isHeld: boolean;
  responseStatus: number | null;
  responseMs: number | null;
  lastError: string | null;
  /** Why the delivery waits, is late, was skipped, or failed. */
  reason: DeliveryReason | null;
  waitsFor: string[] | null;
  waitUntil: Date | null;
  mayBeRepeated: boolean;
}

export type LoggedDelivery = DeliveryState & EventSummary;

/** A delivery of an event, and the integration that it goes to. */
export interface EventDelivery extends DeliveryState {
  integrationType: IntegrationType;
  integrationName: string;
}

export interface LoggedAttempt {
  attemptedAt: Date;
  /** The request that decided the attempt, from 0. */
  step: number;
  url: string;
  responseStatus: number | null;
  responseMs: number | null;
  error: string | null;
  responseBody: string | null;
  responseHeaders: Record<string, string> | null;
}

/** Null fields do not filter; `to` is exclusive. */
export interface DeliveryFilter {
  status: LoggedDelivery['status'] | null;
  reason: DeliveryReason | null;
  /** Upper case. */
  eventType: string | null;
  from: Date | null;
  to: Date | null;
  eventId: string | null;
  /** Id of a replay. */
  replay: string | null;
}

export interface RecentEvent {
  id: string;
  type: string;
  createdAt: Date;
  /** JSON text, exactly as recorded. */
  event: string;
}

export interface IntegrationKey {
  projectId: string;
  integrationId: string;
}

@Injectable()
export class DeliveryLogRepository {
  constructor(private readonly database: DatabaseService) {}

  page(
    { projectId, integrationId }: IntegrationKey,
    { status, reason, eventType, from, to, eventId, replay }: DeliveryFilter,
    { limit }: PageRequest,
    { after, now }: { after: Place | null; now: Date },
  ): Promise<LoggedDelivery[]> {
    const place = after ?? [null, null];
    const range = [eventType, from, to, ...place, limit + 1];
    const values = [projectId, integrationId, status, ...range, reason, now];
    const reader = this.database.forReading;
    if (replay !== null) return reader.query(sql.pageOfReplay, [...values, eventId, replay]);
    if (eventId !== null) return reader.query(sql.pageOfEvent, [...values, eventId]);
    return reader.query(sql.page, values);
  }

  ofEvent(
    projectId: string,
    eventId: string,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<EventDelivery[]> {
    const place = after ?? [null, null];
    return this.database.forReading.query(sql.ofEvent, [projectId, eventId, ...place, limit + 1]);
  }

  async placeInEvent(projectId: string, eventId: string, id: string): Promise<Place | null> {
    const rows = await this.database.query<{ createdAt: Date; id: string }>(sql.placeInEvent, [
      projectId,
      eventId,
      id,
    ]);
    return rows[0] ? placeByCreation(rows[0]) : null;
  }

  async find({ projectId, integrationId }: IntegrationKey, id: string): Promise<LoggedDelivery | null> {
    const rows = await this.database.query<LoggedDelivery>(sql.find, [projectId, integrationId, id]);
    return rows[0] ?? null;
  }

  async lock(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    id: string,
  ): Promise<LoggedDelivery | null> {
    return (await tx.query<LoggedDelivery>(sql.lock, [projectId, integrationId, id]))[0] ?? null;
  }

  /** Null if the delivery no longer exists. */
  async content({ projectId, integrationId }: IntegrationKey, id: string): Promise<DeliveryContent | null> {
    const rows = await this.database.query<DeliveryContent>(sql.content, [projectId, integrationId, id]);
    return rows[0] ?? null;
  }

  async isDeliveredElsewhere(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    id: string,
  ): Promise<boolean> {
    const values = [projectId, integrationId, id];
    return onlyRow(await tx.query<{ isDelivered: boolean }>(sql.isDeliveredElsewhere, values)).isDelivered;
  }

  attempts(projectId: string, deliveryId: string, limit: number): Promise<LoggedAttempt[]> {
    return this.database.forReading.query(sql.attempts, [projectId, deliveryId, limit]);
  }

  async sendAgain(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    delivery: LoggedDelivery,
    now: Date,
  ): Promise<LoggedDelivery> {
    const values = [projectId, integrationId, delivery.id, now];
    return { ...delivery, ...onlyRow(await tx.query<DeliveryState>(sql.sendAgain, values)) };
  }

  async insertTest(
    tx: Transaction,
    { projectId, integrationId }: IntegrationKey,
    { id, event, appId }: TestDelivery,
    now: Date,
  ): Promise<LoggedDelivery> {
    await tx.query(sql.insertTestEvent, [projectId, event.id, now, appId, event.body]);
    const values = [projectId, integrationId, id, event.id, now];
    return { ...event.about, ...onlyRow(await tx.query<DeliveryState>(sql.insertTest, values)) };
  }

  recentEvents(
    projectId: string,
    since: Date,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<RecentEvent[]> {
    const values = [projectId, since, ...(after ?? [null, null]), limit + 1];
    return this.database.forReading.query(sql.recentEvents, values);
  }

  async placeOfRecent(projectId: string, since: Date, id: string): Promise<Place | null> {
    const values = [projectId, since, id];
    const [row] = await this.database.query<Pick<RecentEvent, 'createdAt' | 'id'>>(sql.recentEvent, values);
    return row ? placeByCreation(row) : null;
  }
}

function onlyRow<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('a row that was just written is gone');
  return row;
}
