import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { systemChange } from '../../platform/audit/project-write.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { Log } from '../../platform/observability/log.js';
import { ErasureRepository, sumOf, type UnfinishedErasure } from './erasure.repository.js';

/** Rows of one kind removed in one transaction: short enough to disturb nobody. */
export const ERASURE_BATCH = 1_000;
const POLL_MS = 30_000;

/**
 * Removes what deletions of customers leave for later, above all long histories, a batch at a time. Woken by deletions;
 * the poll finds what processes that died have left.
 */
@Injectable()
export class ErasureJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ErasureRepository,
    private readonly audit: AuditLog,
    private readonly database: Database,
    log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'the rest of a deleted customer could not be removed yet'),
      'erasures',
    );
  }

  /** Removes all that there is to remove. */
  @Interval('erasures', POLL_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    while (!this.loop.isStopping && (await this.removeBatch()));
  }

  /** False when nothing is left. */
  private removeBatch(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const erasure = await this.repository.claim(tx);
      if (!erasure) return false;
      const rest = await this.repository.eraseRest(tx, erasure, ERASURE_BATCH);
      const erased = sumOf(erasure.erased, rest.erased);
      if (rest.isComplete) await this.finish(tx, { ...erasure, erased });
      else await this.repository.note(tx, { ...erasure, erased });
      return true;
    });
  }

  private async finish(tx: Transaction, erasure: UnfinishedErasure): Promise<void> {
    const { projectId, appUserId, erased } = erasure;
    await this.repository.finish(tx, erasure);
    if (appUserId === null) return;
    const write = { ...systemChange, projectId };
    const data = { erased };
    await this.audit.record(tx, write, { action: 'erased', target: 'customer', targetId: appUserId, data });
  }
}
