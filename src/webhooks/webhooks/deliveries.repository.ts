import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import type { FreeSlots } from '../../platform/jobs/slots.js';
import { claim, dropOpen, finish, freezeCustomerInfo, oldestDue, renew } from './deliveries.sql.js';
import { lockIntegrations, pace } from './paced-deliveries.sql.js';

/** A delivery this process has the lease of, with everything its attempt needs. */
export interface ClaimedDelivery extends LeasedItem {
  projectId: string;
  id: string;
  createdAt: Date;
  webhookIntegrationId: string;
  /** Attempts made before this one. */
  attempts: number;
  /** Sent on request, not because the event has just happened. */
  replay: boolean;
  /** The one attempt that an endpoint with an open circuit gets. */
  isProbe: boolean;
  /** Later events of its customer wait for this one. */
  isOrdered: boolean;
  /** Failed attempts in a row that the endpoint had when this one was claimed. */
  endpointFailures: number;
  url: string;
  sealedSigningSecret: string;
  /** The secret before a rotation, while it still signs. */
  sealedPreviousSigningSecret: string | null;
  sealedAuthorizationHeader: string | null;
  includeCustomerInfo: boolean;
  /** JSON text that the first attempt sent beside the event. */
  customerInfo: string | null;
  customerId: string | null;
  eventId: string;
  /** JSON text of the event, exactly as it was recorded. */
  event: string;
}

/** What an attempt makes of its delivery, and what the log keeps of it. Nothing in it is secret. */
export interface AttemptResult {
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: Date | null;
  responseStatus: number | null;
  /** Length of the attempt; null when nothing was sent. */
  responseMs: number | null;
  lastError: string | null;
  /** When the attempt began. */
  attemptedAt: Date;
  responseBody: string | null;
  responseHeaders: Record<string, string> | null;
}

export interface FinishedAttempt {
  delivery: ClaimedDelivery;
  leaseUntil: Date;
  result: AttemptResult;
}

/** An event whose deliveries are sent no faster than others of its kind. */
export interface PacedEvent {
  id: string;
  createdAtMs: number;
}

type DeliveryKey = Pick<ClaimedDelivery, 'projectId' | 'id'>;

function keyOf({ projectId, id }: DeliveryKey): string {
  return `${projectId} ${id}`;
}

/** Queries on the outbox of deliveries. Rows are put into it by `insertMatchingDeliveries`. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Leases due deliveries of all projects, within the free places (keyed by integration id). */
  claim({ now, againAt }: LeaseTerms, { total, byKey, otherKeys }: FreeSlots): Promise<ClaimedDelivery[]> {
    const values = [now, againAt, total, [...byKey.keys()], [...byKey.values()], otherKeys];
    return this.database.query(claim, values);
  }

  /** Extends leases that no other process has taken over. */
  async renew(held: HeldItem<ClaimedDelivery>[], { now, againAt }: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, [
      held.map(({ item }) => item.projectId),
      held.map(({ item }) => item.createdAt),
      held.map(({ item }) => item.id),
      held.map((lease) => lease.leaseUntil),
      now,
      againAt,
    ]);
    return rows[0]?.leaseUntil ?? null;
  }

  /**
   * Records attempts and ends their leases; for each, in its place, whether the endpoint's circuit is open. Null,
   * and nothing is recorded, where the lease was lost or the delivery dropped meanwhile.
   */
  async finish(executor: Executor, attempts: FinishedAttempt[]): Promise<({ isOpen: boolean } | null)[]> {
    const all = <T>(value: (attempt: FinishedAttempt) => T): T[] => attempts.map(value);
    const rows = await executor.query<DeliveryKey & { isOpen: boolean }>(finish, [
      all(({ delivery }) => delivery.projectId),
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
      all(({ delivery }) => delivery.url),
      all(({ result }) => result.responseBody),
      all(({ result }) => result.responseHeaders && JSON.stringify(result.responseHeaders)),
    ]);
    const recorded = new Map(rows.map((row) => [keyOf(row), row]));
    return all(({ delivery }) => recorded.get(keyOf(delivery)) ?? null);
  }

  /** Keeps the customer info sent with a delivery and returns it; the first one kept stays. */
  async freezeCustomerInfo({ projectId, createdAt, id }: ClaimedDelivery, info: string): Promise<string> {
    const rows = await this.database.query<{ customerInfo: string }>(freezeCustomerInfo, [
      projectId,
      createdAt,
      id,
      info,
    ]);
    return rows[0]?.customerInfo ?? info;
  }

  /** Deletes the deliveries of an integration that are neither delivered nor failed. */
  async dropOpen(executor: Executor, projectId: string, webhookIntegrationId: string): Promise<void> {
    await executor.query(dropOpen, [projectId, webhookIntegrationId]);
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }

  /** Moves what new events bring to each integration apart, after what was moved before. */
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
    await executor.query(pace, [projectId, events.map(({ id }) => id), times, new Date(nowMs), perSecond]);
  }
}
