import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { DatabaseService, type Transaction, type TransactionOptions } from '../database/database.service.js';
import { type AuditEntry, AuditLogService } from './audit-log.service.js';
import type { ProjectWrite } from './project-write.js';

/** The transaction of a write. The change and its audit rows commit together. */
export interface WriteTransaction extends Transaction {
  readonly write: ProjectWrite;
  /** Current time in epoch milliseconds. */
  nowMs(): number;
  /**
   * Adds a row to the project's audit log. A write that changes nothing adds none.
   * @throws ApiError 423 if another attempt of the same request has completed first
   */
  audit(entry: AuditEntry): Promise<void>;
}

@Injectable()
export class ProjectWritesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly auditLog: AuditLogService,
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
