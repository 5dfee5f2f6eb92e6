import { Injectable } from '@nestjs/common';
import { type FileStore, isFileStoreError } from '../../../../libs/file-stores/index.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ProjectAlertsService } from '../../../workspace/alerts/project-alerts.service.js';
import { ExportsRepository } from '../exports.repository.js';
import type { ExportRun } from './export-run.entity.js';
import { ExportRunMetrics } from './export-run.metrics.js';
import type { RunUpload } from './export-run.model.js';
import { ExportRunsRepository } from './export-runs.repository.js';
import type { RunAttempt } from './run-in-hand.js';
import { manifestKey } from './writing/file-names.policy.js';
import { internalError, MAX_ATTEMPTS, type RunError, runErrorOf } from './writing/run-errors.js';

const MAX_WARNINGS = 20;
const MAX_MESSAGE = 300;
const FAILURES_TO_ALERT = 2;

/** Ends attempts: removes what they have left at the destination, and decides whether there is another one. */
@Injectable()
export class RunEndingService {
  constructor(
    private readonly runs: ExportRunsRepository,
    private readonly exports: ExportsRepository,
    private readonly alerts: ProjectAlertsService,
    private readonly metrics: ExportRunMetrics,
    private readonly database: DatabaseService,
    private readonly clock: DatabaseClockService,
    private readonly log: LogService,
  ) {}

  async fail(attempt: RunAttempt, error: unknown): Promise<void> {
    const { claimed, run } = attempt;
    const found = runErrorOf(error) ?? internalError;
    if (found === internalError)
      this.log.error(
        { err: error, projectId: claimed.projectId, runId: run.id },
        'a run of an export failed because of a fault',
      );
    // If the name of a file was taken, the one behind it is not this run's.
    const isUncertainOwn = !isFileStoreError(error, 'already_exists');
    const retryMs = run.attempt < MAX_ATTEMPTS ? found.retryMs : null;
    if (retryMs === null) return this.failForGood(attempt, found, isUncertainOwn);
    const next = {
      dueAt: new Date(this.clock.nowMs() + retryMs),
      leaseUntil: null,
      errorCode: found.code,
      errorMessage: cut(found.message),
      isPrimaryOnly: run.isPrimaryOnly || found.code === 'replica_conflict',
    };
    if (run.state === 'completing' && !found.isUploadUseless) {
      // All parts are stored, and some files may be visible: the next attempt only completes them.
      await this.runs.updateClaimed(claimed, { ...next, attempt: run.attempt + 1 });
      return;
    }
    const warnings = await this.removeAll(attempt, isUncertainOwn);
    await this.runs.updateClaimed(claimed, { ...next, state: 'queued', uploads: [], files: [], warnings });
  }

  /** The process stops: the next one continues, and the attempt does not count. */
  async release(attempt: RunAttempt): Promise<void> {
    const { claimed, run } = attempt;
    const now = new Date(this.clock.nowMs());
    if (run.state !== 'writing') {
      await this.runs.updateClaimed(claimed, { dueAt: now, leaseUntil: null });
      return;
    }
    const warnings = await this.removeAll(attempt);
    await this.runs.updateClaimed(claimed, {
      state: 'queued',
      attempt: run.attempt - 1,
      dueAt: now,
      leaseUntil: null,
      uploads: [],
      warnings,
    });
  }

  /** Removes what is left of a run that was canceled, or of an attempt whose process died. Returns the warnings. */
  async removeAll({ run, store, uploads, completed }: RunAttempt, isUncertainOwn = true): Promise<string[]> {
    const warnings = [...run.warnings];
    for (const { upload } of uploads) {
      const warning = store ? await store.abort(upload) : `${upload.key} was not removed.`;
      if (warning !== null) warnings.push(warning);
    }
    if (run.state === 'completing' || run.manifest !== null)
      warnings.push(...(await this.removeVisible(run, store, uploads, completed, isUncertainOwn)));
    return warnings.slice(0, MAX_WARNINGS).map(cut);
  }

  /** For a run that was canceled while a process worked on it. */
  async cleanUp(attempt: RunAttempt): Promise<void> {
    const warnings = await this.removeAll(attempt);
    await this.runs.updateEnded(attempt.claimed, { uploads: [], dueAt: null, leaseUntil: null, warnings });
  }

  /**
   * Files that are visible without a manifest. Completing goes in order, so the file after the last completed one may be
   * visible although the store's answer was lost.
   */
  private async removeVisible(
    { prefix, nameSecond }: ExportRun,
    store: FileStore | null,
    uploads: RunUpload[],
    completed: string[],
    isUncertainOwn: boolean,
  ): Promise<string[]> {
    const keys = uploads.map(({ upload }) => upload.key);
    const visible = isUncertainOwn ? keys : keys.filter((key) => completed.includes(key));
    const manifest = manifestKey({ prefix: prefix ?? '', second: Number(nameSecond) });
    const warnings: string[] = [];
    for (const key of isUncertainOwn ? [manifest, ...visible] : visible) {
      try {
        if (!store) throw new Error('the destination cannot be opened');
        await store.delete(key);
      } catch (error) {
        const reason = isFileStoreError(error) ? ` ${error.message}` : '';
        warnings.push(`${key} was not deleted.${reason}`);
      }
    }
    return warnings;
  }

  async failForGood(attempt: RunAttempt, { code, message }: RunError, isUncertainOwn = true): Promise<void> {
    const { claimed, run } = attempt;
    const { projectId, exportId } = claimed;
    const warnings = await this.removeAll(attempt, isUncertainOwn);
    const now = new Date(this.clock.nowMs());
    await this.database.transaction(async (tx) => {
      const parent = await this.exports.lock(tx, { projectId, id: exportId });
      const isOwn = await this.runs.updateClaimed(
        claimed,
        {
          state: 'failed',
          finishedAt: now,
          dueAt: null,
          leaseUntil: null,
          uploads: [],
          files: [],
          warnings,
          errorCode: code,
          errorMessage: cut(message),
          ...(run.startedAt === null && { startedAt: now }),
        },
        tx,
      );
      if (!isOwn || !parent) return;
      const failures = parent.consecutiveFailures + 1;
      await this.exports.update(tx, { projectId, id: exportId }, { consecutiveFailures: failures });
      if (failures >= FAILURES_TO_ALERT || code === 'host_key_changed')
        await this.alerts.open(
          tx,
          { projectId, cause: 'export_failing', subjectId: exportId },
          { name: parent.name, message: cut(message) },
        );
      tx.afterCommit(() => this.metrics.countRun('failed'));
    });
  }
}

function cut(text: string): string {
  return [...text].slice(0, MAX_MESSAGE).join('');
}
