import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
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
import { appsDue, claim, copies, finish, oldestDue, renew } from './notification-copies.sql.js';

export interface ClaimedCopy extends LeasedItem {
  projectId: string;
  notificationId: string;
  appId: string;
  body: Buffer | null;
  sealedBody: string | null;
  contentType: string | null;
  attempts: number;
  /** Null if the app no longer has a URL for copies. */
  url: string | null;
}

export interface CopyResult {
  attempts: number;
  dueAt: Date | null;
  /** Null if there was no answer. */
  status: number | null;
  error: string | null;
  /** Null if nothing was sent. */
  at: Date | null;
}

@Injectable()
export class NotificationCopiesRepository {
  constructor(private readonly database: DatabaseService) {}

  async pollPage(now: Date, after: QueuePlace | null): Promise<QueuePage> {
    return pageOf(await this.database.query<PolledApp>(appsDue, pollValues(now, after)));
  }

  claim(projectId: string, terms: LeaseTerms, free: FreeSlots): Promise<ClaimedCopy[]> {
    return this.database.query(claim, claimValues(projectId, terms, free));
  }

  async renew(held: HeldItem<ClaimedCopy>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(copies, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async finish(
    { projectId, notificationId }: ClaimedCopy,
    leaseUntil: Date,
    result: CopyResult,
  ): Promise<void> {
    const { attempts, dueAt, status, error, at } = result;
    const values = [projectId, notificationId, leaseUntil, attempts, dueAt, status, error, at];
    await this.database.query(finish, values);
  }

  async oldestDue(): Promise<OldestDue> {
    return (await this.database.query<OldestDue>(oldestDue, []))[0] ?? { dueAt: null, queuesRead: 0 };
  }
}
