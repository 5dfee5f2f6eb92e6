import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Database, type Transaction, type TransactionOptions } from '../database/database.js';
import { type AuditEntry, AuditLog } from './audit-log.js';
import type { ProjectWrite } from './project-write.js';

/** The transaction of a write: the change and its audit rows commit together. */
export interface WriteTransaction extends Transaction {
  readonly write: ProjectWrite;
  /** Epoch milliseconds, read at each call. */
  nowMs(): number;
  /**
   * Adds a row to the project's audit log. A write that changes nothing adds none.
   * @throws ApiError 423 if another attempt of the same request was faster
   */
  audit(entry: AuditEntry): Promise<void>;
}

/** Runs the writes of services: transaction, time and audit log in one. */
@Injectable()
export class ProjectWrites {
  constructor(
    private readonly database: Database,
    private readonly auditLog: AuditLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Runs `work` in a new transaction. Like `Database.transaction`, it may run more than once. */
  run<T>(
    write: ProjectWrite,
    work: (tx: WriteTransaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    return this.database.transaction((tx) => work(this.within(tx, write)), options);
  }

  /** For a write inside a larger transaction, such as the project that a sign-up creates. */
  within(tx: Transaction, write: ProjectWrite): WriteTransaction {
    return {
      ...tx,
      write,
      nowMs: () => this.clock.nowMs(),
      audit: (entry) => this.auditLog.record(tx, write, entry),
    };
  }
}
