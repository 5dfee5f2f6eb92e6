import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { WorkLoop } from '../../platform/jobs/work-loop.js';
import { LogService } from '../../platform/observability/log.service.js';
import { ImportCountsRepository } from './import-counts.repository.js';

const EVERY_MS = 10_000;
/** Together with the poll and the count itself, this stays below the maximum age in responses. */
const RECOUNT_AFTER_MS = 40_000;

/**
 * Recounts large projects while their import status is being watched. Uses one transaction, which locks the project's
 * row, so any number of processes share the work.
 */
@Injectable()
export class ImportCountsJob implements BeforeApplicationShutdown {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ImportCountsRepository,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'counting what imports wait for failed; the next round retries'),
      'import_counts',
    );
  }

  @Interval('import-counts', EVERY_MS)
  run(): Promise<void> {
    return this.loop.wake();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<void> {
    while (!this.loop.isStopping && (await this.recountOne()));
    await this.repository.forget(this.clock.nowMs());
  }

  /** Returns false if there was nothing to do. */
  private async recountOne(): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    for (const projectId of await this.repository.due(nowMs, nowMs - RECOUNT_AFTER_MS)) {
      if (await this.recount(projectId, nowMs)) return true;
    }
    return false;
  }

  /** Returns false if another process counts the project. */
  private recount(projectId: string, nowMs: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const due = await this.repository.lockDue(tx, projectId, nowMs, nowMs - RECOUNT_AFTER_MS);
      if (due === null) return false;
      const counts = await this.repository.count(projectId, null, nowMs, tx);
      await this.repository.save({ ...due, projectId, countedAtMs: nowMs, counts }, tx);
      return true;
    });
  }
}
