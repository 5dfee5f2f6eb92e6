import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import { ExportsRepository } from '../exports.repository.js';
import { ExportRunMetrics } from './export-run.metrics.js';
import { ExportRunsRepository } from './export-runs.repository.js';
import type { RunInHand } from './run-in-hand.js';
import { manifestKey } from './writing/file-names.policy.js';
import { RunLost } from './writing/run-errors.js';

/** Makes the files of a run visible, the manifest last, and moves the cursors of its export. */
@Injectable()
export class RunCompletionService {
  constructor(
    private readonly runs: ExportRunsRepository,
    private readonly exports: ExportsRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly metrics: ExportRunMetrics,
    private readonly database: DatabaseService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** Can be repeated: what is visible already counts as done. @throws RunLost, RunStopped, FileStoreError */
  async complete(hand: RunInHand): Promise<void> {
    const { run, store, signal } = hand;
    for (const { upload, parts, bytes } of run.uploads) {
      signal.throwIfAborted();
      await store.complete(upload, parts, bytes);
      hand.completed.push(upload.key);
    }
    signal.throwIfAborted();
    const key = manifestKey({ prefix: run.prefix ?? '', second: Number(run.nameSecond) });
    await store.put(key, Buffer.from(run.manifest ?? ''));
    await this.succeed(hand);
  }

  private async succeed({ claimed, run, destination }: RunInHand): Promise<void> {
    const { projectId, exportId } = claimed;
    const key = { projectId, id: exportId };
    const now = new Date(this.clock.nowMs());
    await this.database.transaction(async (tx) => {
      const parent = await this.exports.lock(tx, key);
      const isOwn = await this.runs.updateClaimed(
        claimed,
        {
          state: 'succeeded',
          finishedAt: now,
          dueAt: null,
          leaseUntil: null,
          uploads: [],
          errorCode: null,
          errorMessage: null,
        },
        tx,
      );
      if (!isOwn || !parent) throw new RunLost();
      const isCurrent = run.cursors?.resets === parent.resets;
      await this.exports.update(tx, key, {
        consecutiveFailures: 0,
        ...(isCurrent && { cursors: run.cursors?.after ?? null }),
      });
      await this.alerts.resolve(tx, { projectId, cause: 'export_failing', subjectId: exportId });
      tx.afterCommit(() => {
        this.metrics.countSuccess((now.getTime() - (run.startedAt ?? now).getTime()) / 1000);
        for (const { dataset, rows, bytes } of run.files)
          this.metrics.countFile(destination.kind, dataset, rows, bytes);
      });
    });
  }
}
