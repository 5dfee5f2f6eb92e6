import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher.js';
import { isConnectionLoss, isPoolExhausted } from '../../platform/database/database-errors.js';
import { DatabaseService, type Executor } from '../../platform/database/database.service.js';
import {
  claimValues,
  pageOf,
  type PolledApp,
  pollValues,
  renewalValues,
} from '../../platform/jobs/app-queues.sql.js';
import type { OldestDue } from '../../platform/jobs/due-age.js';
import type { QueuePage, QueuePlace } from '../../platform/jobs/project-claims.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../platform/jobs/leased-work.js';
import type { FreeSlots } from '../../platform/jobs/slots.js';
import type { StoredBody } from './notification-bodies.service.js';
import type { NotificationHead, SavedNotification } from './notification-source.js';
import {
  arrivals,
  claim,
  appsDue,
  finish,
  health,
  inbox,
  insert,
  insertCopies,
  insertRejected,
  updateRejected,
  deleteOldRejected,
  oldestDue,
  renew,
  retry,
  reactivate,
  reactivateIfKnown,
} from './store-notifications.sql.js';

export interface NewNotification extends NotificationHead {
  projectId: string;
  id: string;
  appId: string;
  body: Buffer | null;
  sealedBody: string | null;
  contentType: string | null;
  receivedAtMs: number;
  dueAtMs: number;
  /** Whether a copy is sent to the developer's URL. */
  copied: boolean;
  /** The notification never arrived and was read from the store's history. */
  wasMissed: boolean;
}

export interface ClaimedNotification
  extends Omit<SavedNotification, 'app' | 'body' | 'receivedAtMs'>, StoredBody, LeasedItem {
  appId: string;
  receivedAt: Date;
}

export interface ProcessingResult {
  state: 'processed' | 'ignored_type' | 'ignored_unknown_purchase' | 'retrying' | 'failed';
  attempts: number;
  dueAt: Date | null;
  /** Null once processed. */
  error: string | null;
  at: Date;
}

export interface NotificationHealthRow {
  appId: string;
  receivedAt: Date | null;
  sentAt: Date | null;
  state: string | null;
  errorAt: Date | null;
  error: string | null;
  errorState: string | null;
  errorKind: string | null;
  copiedAt: Date | null;
  copyStatus: number | null;
}

interface Place {
  projectId: string;
  id: string;
}
type Claimed = Place & { receivedAt: Date };

interface Finished {
  claimed: Claimed;
  leaseUntil: Date;
  result: ProcessingResult;
}

interface KnownPurchases {
  projectId: string;
  appId: string;
  subjects: string[];
  now: Date;
}

/** Notifications or calls per statement. */
const MAX_TOGETHER = 24;

@Injectable()
export class StoreNotificationsRepository {
  /** Notifications that arrive together share one statement and one commit. */
  private readonly arriving: Batcher<NewNotification, boolean | null>;
  private readonly finishing: Batcher<Finished, void>;
  private readonly reactivating: Batcher<KnownPurchases, boolean>;

  constructor(private readonly database: DatabaseService) {
    const options = { maxRunning: 2, maxItems: MAX_TOGETHER };
    this.arriving = new Batcher((items) => this.insertTogether(items), {
      ...options,
      groupOf: ({ projectId }) => projectId,
    });
    this.finishing = new Batcher((items) => this.finishTogether(items), {
      ...options,
      groupOf: ({ claimed }) => claimed.projectId,
    });
    this.reactivating = new Batcher((items) => this.reactivateTogether(items), {
      ...options,
      groupOf: ({ projectId, appId }) => `${projectId} ${appId}`,
    });
  }

  /** Returns false for a duplicate. */
  async insert(notification: NewNotification): Promise<boolean> {
    const isNew = await this.arriving.submit(notification);
    return isNew ?? (await this.insertAll([notification])).has(notification.id);
  }

  /** Null for all if one of them cannot be saved. */
  private async insertTogether(notifications: NewNotification[]): Promise<(boolean | null)[]> {
    try {
      const saved = await this.insertAll(notifications);
      return notifications.map(({ id }) => saved.has(id));
    } catch (error) {
      if (notifications.length === 1 || isConnectionLoss(error) || isPoolExhausted(error)) throw error;
      return notifications.map(() => null);
    }
  }

  /** Returns the ids of those that are not duplicates. */
  private insertAll(notifications: NewNotification[]): Promise<Set<string>> {
    const copied = notifications.filter((one) => one.copied);
    if (copied.length === 0) return this.insertIn(this.database, notifications);
    return this.database.transaction(async (tx) => {
      const saved = await this.insertIn(tx, notifications);
      const sent = copied.filter(({ id }) => saved.has(id));
      await tx.query(insertCopies, [
        copied[0]?.projectId,
        sent.map(({ id }) => id),
        sent.map(({ appId }) => appId),
        sent.map(({ receivedAtMs }) => new Date(receivedAtMs)),
      ]);
      return saved;
    });
  }

  private async insertIn(executor: Executor, notifications: NewNotification[]): Promise<Set<string>> {
    const [{ projectId }] = notifications as [NewNotification];
    const column = (of: (one: NewNotification) => unknown): unknown[] => notifications.map(of);
    const saved = await executor.query<{ id: string }>(insert, [
      projectId,
      column((one) => one.id),
      column((one) => one.appId),
      column((one) => one.dedupeKey),
      column((one) => one.kind),
      column((one) => one.subkind),
      column((one) => one.environment),
      column((one) => one.subject),
      column((one) => one.body),
      column((one) => one.contentType),
      column(({ sentAtMs }) => (sentAtMs === null ? null : new Date(sentAtMs))),
      column((one) => new Date(one.receivedAtMs)),
      column((one) => new Date(one.dueAtMs)),
      column((one) => one.wasMissed),
      column((one) => one.sealedBody),
    ]);
    return new Set(saved.map(({ id }) => id));
  }

  /**
   * Saves that a notification was rejected, without its content. Only the newest of each app are stored, because the
   * endpoint is open to anyone.
   */
  async saveRejected(
    place: Place & { appId: string; dedupeKey: string; kind: string | null },
    error: string,
    at: Date,
    keep: number,
  ): Promise<void> {
    const { projectId, id, appId, dedupeKey, kind } = place;
    const values = [projectId, appId, dedupeKey, at, error, kind];
    const known = await this.database.query(updateRejected, values);
    if (known.length > 0) return;
    await this.database.query(deleteOldRejected, [projectId, appId, keep - 1]);
    await this.database.query(insertRejected, [...values, id]);
  }

  async pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage> {
    return pageOf(await this.database.query<PolledApp>(appsDue, pollValues(now, after)));
  }

  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<ClaimedNotification[]> {
    return this.database.query(claim, claimValues(projectId, terms, free));
  }

  async renew(held: HeldItem<ClaimedNotification>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(inbox, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  finish(claimed: Claimed, leaseUntil: Date, result: ProcessingResult): Promise<void> {
    return this.finishing.submit({ claimed, leaseUntil, result });
  }

  private async finishTogether(finished: Finished[]): Promise<void[]> {
    const [{ claimed }] = finished as [Finished];
    await this.database.query(finish, [
      claimed.projectId,
      finished.map((one) => one.claimed.id),
      finished.map((one) => one.claimed.receivedAt),
      finished.map((one) => one.leaseUntil),
      finished.map(({ result }) => result.state),
      finished.map(({ result }) => result.attempts),
      finished.map(({ result }) => result.dueAt),
      finished.map(({ result }) => result.error),
      finished.map(({ result }) => result.at),
    ]);
    return [];
  }

  /**
   * Makes excluded notifications due again; returns true if there were any. Nearly every receipt calls this, so calls of
   * an app share a statement.
   */
  reactivate(projectId: string, appId: string, subjects: string[], now: Date): Promise<boolean> {
    return this.reactivating.submit({ projectId, appId, subjects, now });
  }

  private async reactivateTogether(known: KnownPurchases[]): Promise<boolean[]> {
    const [{ projectId, appId, now }] = known as [KnownPurchases];
    const subjects = known.flatMap((one) => one.subjects);
    const rows = await this.database.query(reactivate, [projectId, appId, subjects, now]);
    return known.map(() => rows.length > 0);
  }

  async retry(
    { projectId, appId }: { projectId: string; appId: string },
    since: Date,
    now: Date,
  ): Promise<void> {
    await this.database.query(retry, [projectId, appId, since, now]);
  }

  /** Makes a notification due again if its purchase now has an owner; returns true if so. */
  async reactivateIfKnown({ projectId, id, receivedAt }: Claimed, now: Date): Promise<boolean> {
    return (await this.database.query(reactivateIfKnown, [projectId, id, now, receivedAt])).length > 0;
  }

  health(projectId: string): Promise<NotificationHealthRow[]> {
    return this.database.query(health, [projectId]);
  }

  /** Arrival times of the last notifications about production, epoch ms, newest first. */
  async arrivals(app: { projectId: string; appId: string }, since: Date): Promise<number[]> {
    const rows = await this.database.query<{ atMs: number }>(arrivals, [app.projectId, app.appId, since]);
    return rows.map(({ atMs }) => atMs);
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }
}
