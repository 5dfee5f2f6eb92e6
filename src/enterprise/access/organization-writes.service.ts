import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import {
  DatabaseService,
  type Transaction,
  type TransactionOptions,
} from '../../platform/database/database.service.js';
import type { OrganizationAuditEntry } from './organization-audit-actions.js';
import { OrganizationAccessRepository } from './organization-access.repository.js';
import { OrganizationAuditLogService } from './organization-audit-log.service.js';
import type { OrganizationWrite } from './organization-write.js';

/** The transaction of a write. The change and its audit rows commit together. */
export interface OrganizationTransaction extends Transaction {
  readonly write: OrganizationWrite;
  /** Epoch milliseconds, read on each call. */
  nowMs(): number;
  /**
   * Adds a row to the organization's audit log. A write that changes nothing adds no row.
   * @throws ApiError 423 if another attempt of the same request was faster
   */
  audit(entry: OrganizationAuditEntry): Promise<void>;
}

@Injectable()
export class OrganizationWritesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly auditLog: OrganizationAuditLogService,
    private readonly repository: OrganizationAccessRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs `work` in a new transaction. Like `Database.transaction`, it may run `work` more than once. */
  run<T>(
    write: OrganizationWrite,
    work: (tx: OrganizationTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.database.transaction((tx) => work(this.within(tx, write)), options);
  }

  /** Like `run`, but one at a time per organization: for changes to people, roles and projects. */
  runAlone<T>(
    write: OrganizationWrite,
    work: (tx: OrganizationTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.run(
      write,
      async (tx) => {
        await this.lock(tx, write.orgId);
        return work(tx);
      },
      options,
    );
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  /** Wraps a larger transaction for a write. */
  within(tx: Transaction, write: OrganizationWrite): OrganizationTransaction {
    return {
      ...tx,
      write,
      nowMs: () => this.clock.nowMs(),
      audit: (entry) => this.auditLog.record(tx, write, entry),
    };
  }

  /** Waits for other changes to the organization's people, roles and projects. */
  lock(tx: Transaction, orgId: string): Promise<void> {
    return this.repository.lock(tx, orgId);
  }
}
