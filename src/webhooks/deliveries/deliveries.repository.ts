import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import type { QueuePage, QueuePlace } from '../../platform/jobs/project-claims.js';
import type { FreeSlots } from '../../platform/jobs/slots.js';
import type { Integration } from './integrations/integration.entity.js';
import {
  claim,
  DELIVERIES_PER_PAGE,
  dropOpen,
  finish,
  freezeCustomerInfo,
  log,
  oldestDue,
  poll,
  renew,
  sendRefused,
} from './deliveries.sql.js';
import type { DeliveryReason } from './delivery-reason.js';
import { lockIntegrations, postpone, spaceOut } from './paced-deliveries.sql.js';
import { wake } from './waiting/waiting-deliveries.sql.js';

/** A delivery leased by this process, with everything that its attempt needs. */
export interface ClaimedDelivery
  extends
    LeasedItem,
    Pick<
      Integration,
      'type' | 'name' | 'settings' | 'sealedSettings' | 'eventNames' | 'revenue' | 'attributes' | 'sendFrom'
    > {
  projectId: string;
  id: string;
  createdAt: Date;
  webhookIntegrationId: string;
  /** Number of earlier attempts. */
  attempts: number;
  /** Number of requests of this delivery that succeeded. */
  stepsDone: number;
  /** Sent on request, not because the event has just occurred. */
  replay: boolean;
  /** The only attempt that an endpoint with an open circuit receives. */
  isProbe: boolean;
  /** Later events of the same customer wait for this one. */
  isOrdered: boolean;
  /** Consecutive failed attempts of the endpoint when this delivery was claimed. */
  endpointFailures: number;
  /** Consecutive responses 429 of the endpoint when this delivery was claimed. */
  endpointLimited: number;
  /** Null for other types than webhooks. */
  url: string | null;
  /** Null for other types than webhooks. */
  sealedSigningSecret: string | null;
  /** The secret before a rotation, while it is still used for signing. */
  sealedPreviousSigningSecret: string | null;
  sealedAuthorizationHeader: string | null;
  includeCustomerInfo: boolean;
  /** JSON text that the first attempt sent with the event. */
  customerInfo: string | null;
  customerId: string | null;
  /** The previous owner, in a transfer. */
  otherCustomerId: string | null;
  /** The subscription of the event; null for other events. */
  subscriptionId: string | null;
  eventId: string;
  recordedAt: Date;
  occurredAt: Date;
  /** JSON text of the event, exactly as recorded. */
  event: string;
}

/** The effect of an attempt on its delivery, and its log entry. Contains no secrets. */
export interface AttemptResult {
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  reason: DeliveryReason | null;
  /** Number of the attempt. */
  attempt: number;
  /** Attempts that count as made afterwards. */
  attempts: number;
  nextAttemptAt: Date | null;
  /** The request that decided the attempt, from 0. */
  step: number;
  stepsDone: number;
  mayBeRepeated: boolean;
  /** Null if nothing was sent. */
  url: string | null;
  responseStatus: number | null;
  /** Duration of the attempt; null if nothing was sent. */
  responseMs: number | null;
  lastError: string | null;
  /** When the attempt started. */
  attemptedAt: Date;
  responseBody: string | null;
  responseHeaders: Record<string, string> | null;
}

export interface FinishedAttempt {
  delivery: ClaimedDelivery;
  leaseUntil: Date;
  result: AttemptResult;
}

/** An event whose deliveries are sent at a limited rate. */
export interface PacedEvent {
  id: string;
  createdAtMs: number;
}

/** An attribute of a customer that has a new value. */
export interface ArrivedAttribute {
  customerId: string;
  name: string;
}

interface PolledQueue extends QueuePlace {
  /** Number of its deliveries on the page. */
  size: number;
  isDue: boolean;
  /** The integration no longer exists. */
  isOrphan: boolean;
}

/** Queries on the outbox of deliveries. `insertMatchingDeliveries` adds its rows. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Reads a page of the queues after a place, and deletes open deliveries of integrations that are gone. */
  async pollPage(now: Date, types: string[], after: QueuePlace | null): Promise<QueuePage> {
    const { projectId: afterProject, key: afterKey } = after ?? { projectId: '', key: '' };
    const values = [afterProject, now, types, afterKey];
    const queues = await this.database.query<PolledQueue>(poll, values);
    for (const { projectId, key, isOrphan } of queues) {
      if (isOrphan) await this.dropOpen(this.database, projectId, key);
    }
    const size = queues.reduce((sum, queue) => sum + queue.size, 0);
    return {
      due: queues.filter(({ isDue }) => isDue),
      last: size < DELIVERIES_PER_PAGE ? null : (queues.at(-1) ?? null),
    };
  }

  /**
   * Leases due deliveries of a project to integrations of these types, up to the number of free slots (by integration
   * id), and one at a time to those of sequential types.
   */
  claim(
    projectId: string,
    { now, againAt }: LeaseTerms,
    { total, byKey, otherKeys }: FreeSlots,
    types: string[],
    sequentialTypes: string[],
  ): Promise<ClaimedDelivery[]> {
    const slots = [total, [...byKey.keys()], [...byKey.values()], otherKeys];
    return this.database.query(claim, [projectId, now, types, againAt, ...slots, sequentialTypes]);
  }

  /** Extends leases of one project that no other process has taken over. */
  async renew(held: HeldItem<ClaimedDelivery>[], { now, againAt }: LeaseTerms): Promise<Date | null> {
    const [{ item: first }] = held as [HeldItem<ClaimedDelivery>];
    const rows = await this.database.query<LeasedItem>(renew, [
      first.projectId,
      held.map(({ item }) => item.createdAt),
      held.map(({ item }) => item.id),
      held.map((lease) => lease.leaseUntil),
      now,
      againAt,
    ]);
    return rows[0]?.leaseUntil ?? null;
  }

  /**
   * Records attempts of one project and ends their leases. Returns for each attempt whether the endpoint's circuit is
   * open, or null, without recording it, if the lease was lost or the delivery was deleted in the meantime.
   */
  async finish(tx: Transaction, attempts: FinishedAttempt[]): Promise<({ isOpen: boolean } | null)[]> {
    const all = <T>(value: (attempt: FinishedAttempt) => T): T[] => attempts.map(value);
    const [{ delivery: first }] = attempts as [FinishedAttempt];
    const [, rows] = await Promise.all([
      this.log(
        tx,
        attempts.filter(({ result }) => result.url !== null),
      ),
      tx.query<{ id: string; isOpen: boolean }>(finish, [
        first.projectId,
        all(({ delivery }) => delivery.createdAt),
        all(({ delivery }) => delivery.id),
        all(({ leaseUntil }) => leaseUntil),
        all(({ result }) => result.status),
        all(({ result }) => result.attempts),
        all(({ result }) => result.nextAttemptAt),
        all(({ result }) => result.responseStatus),
        all(({ result }) => result.responseMs),
        all(({ result }) => result.lastError),
        all(({ result }) => result.attemptedAt),
        all(({ result }) => result.url !== null),
        all(({ result }) => result.reason),
        all(({ result }) => result.stepsDone),
        all(({ result }) => result.mayBeRepeated),
      ]),
    ]);
    const recorded = new Map(rows.map((row) => [row.id, row]));
    return all(({ delivery }) => recorded.get(delivery.id) ?? null);
  }

  private async log(tx: Transaction, sent: FinishedAttempt[]): Promise<void> {
    const [first] = sent;
    if (!first) return;
    const all = <T>(value: (attempt: FinishedAttempt) => T): T[] => sent.map(value);
    await tx.query(log, [
      first.delivery.projectId,
      all(({ delivery }) => delivery.createdAt),
      all(({ delivery }) => delivery.id),
      all(({ leaseUntil }) => leaseUntil),
      all(({ result }) => result.attemptedAt),
      all(({ result }) => result.attempt),
      all(({ result }) => result.step),
      all(({ result }) => result.url),
      all(({ result }) => result.responseStatus),
      all(({ result }) => result.responseMs),
      all(({ result }) => result.lastError),
      all(({ result }) => result.responseBody),
      all(({ result }) => result.responseHeaders && JSON.stringify(result.responseHeaders)),
    ]);
  }

  /** Stores the customer info of a delivery's first attempt, and returns the stored one. */
  async freezeCustomerInfo({ projectId, createdAt, id }: ClaimedDelivery, info: string): Promise<string> {
    const rows = await this.database.query<{ customerInfo: string }>(freezeCustomerInfo, [
      projectId,
      createdAt,
      id,
      info,
    ]);
    return rows[0]?.customerInfo ?? info;
  }

  /** Deletes the deliveries of an integration that are pending or wait. */
  async dropOpen(executor: Executor, projectId: string, webhookIntegrationId: string): Promise<void> {
    await executor.query(dropOpen, [projectId, webhookIntegrationId]);
  }

  /** Makes deliveries due that were refused because of the credentials. */
  async sendRefused(
    executor: Executor,
    projectId: string,
    webhookIntegrationId: string,
    now: Date,
  ): Promise<void> {
    await executor.query(sendRefused, [projectId, webhookIntegrationId, now]);
  }

  /** Makes deliveries due that wait for one of these attributes, and returns their number. */
  async wake(
    executor: Executor,
    projectId: string,
    arrived: readonly ArrivedAttribute[],
    now: Date,
  ): Promise<number> {
    const customers = arrived.map(({ customerId }) => customerId);
    const names = arrived.map(({ name }) => name);
    return (await executor.query(wake, [projectId, customers, names, now])).length;
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }

  /** Spaces out the deliveries of new events to each integration, after those that are already spaced out. */
  async pace(
    executor: Executor,
    projectId: string,
    events: PacedEvent[],
    perSecond: number,
    nowMs: number,
  ): Promise<void> {
    const integrations = await executor.query(lockIntegrations, [projectId]);
    if (integrations.length === 0) return;
    const times = events.map(({ createdAtMs }) => new Date(createdAtMs));
    const ids = events.map(({ id }) => id);
    const values = [projectId, ids, times, new Date(nowMs), perSecond];
    const spaced = await executor.query<{ createdAt: Date; id: string; at: Date }>(spaceOut, values);
    if (spaced.length === 0) return;
    const keys = [spaced.map(({ createdAt }) => createdAt), spaced.map(({ id }) => id)];
    await executor.query(postpone, [projectId, ...keys, spaced.map(({ at }) => at)]);
  }
}
