import { Injectable } from '@nestjs/common';
import { newId } from '../../../../libs/kernel/index.js';
import type { ProjectWrite } from '../../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../../platform/audit/project-writes.service.js';
import type { Transaction } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';
import { DatabaseClockService } from '../../../platform/jobs/database-clock.service.js';
import type { Export } from '../export.entity.js';
import type { ExportMode } from '../export.model.js';
import { type ExportKey, ExportsRepository } from '../exports.repository.js';
import type { ExportRun } from './export-run.entity.js';
import type { RunTrigger } from './export-run.model.js';
import { ExportRunsJob } from './export-runs.job.js';
import { ExportRunsRepository } from './export-runs.repository.js';
import { ExportRunMetrics } from './export-run.metrics.js';

const KEPT_MS = 400 * 24 * 3_600_000;

/** Runs as people and schedules see them: requested, listed and canceled. */
@Injectable()
export class ExportRunsService {
  constructor(
    private readonly repository: ExportRunsRepository,
    private readonly exports: ExportsRepository,
    private readonly job: ExportRunsJob,
    private readonly metrics: ExportRunMetrics,
    private readonly writes: ProjectWritesService,
    private readonly clock: DatabaseClockService,
  ) {}

  /** The newest run of each export that has one, by export. */
  async lastOf(projectId: string, exportIds: string[]): Promise<Map<string, ExportRun>> {
    const runs = await this.repository.lastOf(projectId, exportIds);
    return new Map(runs.map((run) => [run.exportId, run]));
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 404, 400 for an unknown cursor */
  async page(projectId: string, exportId: string, page: PageRequest): Promise<ExportRun[]> {
    await this.assertExport({ projectId, id: exportId });
    return this.repository.page(projectId, exportId, page);
  }

  /** @throws ApiError 404 */
  async get(projectId: string, exportId: string, id: string): Promise<ExportRun> {
    await this.assertExport({ projectId, id: exportId });
    return found(await this.repository.find({ projectId, exportId, id }), id);
  }

  /** Queues a run, also of a paused export. @throws ApiError 404; 423 while a run of the export continues */
  async request(
    write: ProjectWrite,
    trigger: RunTrigger,
    exportId: string,
    mode?: ExportMode,
  ): Promise<ExportRun> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      const parent = await this.exports.lock(tx, { projectId, id: exportId });
      if (!parent) throw ApiError.missing('export', exportId);
      const run = await this.start(tx, parent, trigger, mode);
      if (!run) {
        const open = await this.repository.findOpen(tx, projectId, exportId);
        throw new ApiError('locked', `The run ${open?.id ?? ''} of this export is still in progress.`);
      }
      await tx.audit({
        action: 'requested',
        target: 'export_run',
        targetId: run.id,
        data: { export_id: exportId, mode: run.mode },
      });
      return run;
    });
  }

  /** Queues a run. Returns null while another run of the export continues. */
  async start(
    tx: Transaction,
    { projectId, id: exportId, destinationId, mode }: Export,
    trigger: RunTrigger,
    requestedMode: ExportMode = mode,
  ): Promise<ExportRun | null> {
    const nowMs = this.clock.nowMs();
    const now = new Date(nowMs);
    const run: ExportRun = {
      projectId,
      id: newId('exportRun', nowMs),
      exportId,
      destinationId,
      state: 'queued',
      trigger,
      requestedMode,
      mode: requestedMode,
      modeReason: null,
      attempt: 0,
      claims: 0,
      dueAt: now,
      leaseUntil: null,
      snapshotAt: null,
      dataUntil: null,
      startedAt: null,
      finishedAt: null,
      place: null,
      prefix: null,
      nameSecond: null,
      isPrimaryOnly: false,
      rows: 0,
      bytes: 0,
      files: [],
      uploads: [],
      manifest: null,
      cursors: null,
      warnings: [],
      errorCode: null,
      errorMessage: null,
      createdAt: now,
    };
    if (!(await this.repository.insert(tx, run))) return null;
    tx.afterCommit(() => this.job.wake());
    return run;
  }

  /**
   * Ends a run before anything of it is visible.
   * @throws ApiError 404; 409 for a run that has ended or whose files are becoming visible
   */
  cancel(write: ProjectWrite, exportId: string, id: string): Promise<ExportRun> {
    const { projectId } = write;
    return this.writes.run(write, async (tx) => {
      await this.assertExport({ projectId, id: exportId });
      const run = found(await this.repository.lock(tx, { projectId, exportId, id }), id);
      if (run.finishedAt !== null) throw new ApiError('conflict', 'The run has ended.');
      if (run.state === 'completing')
        throw new ApiError(
          'conflict',
          'The files of this run are becoming visible. It cannot be canceled any more.',
        );
      const canceled = await this.end(tx, run);
      await tx.audit({
        action: 'canceled',
        target: 'export_run',
        targetId: id,
        data: { export_id: exportId },
      });
      return canceled;
    });
  }

  /** Ends an open run of an export that is being deleted. */
  async cancelOpen(tx: Transaction, { projectId, id }: ExportKey): Promise<void> {
    const run = await this.repository.lockOpen(tx, projectId, id);
    if (run) await this.end(tx, run);
  }

  /** Ends all open runs of a project that is being deleted. */
  cancelAll(tx: Transaction, projectId: string): Promise<void> {
    return this.repository.cancelAll(tx, projectId, new Date(this.clock.nowMs()));
  }

  @Cleanup('export_runs', KEPT_MS)
  prune(until: Date, limit: number): Promise<number> {
    return this.repository.prune(until, limit);
  }

  /** The process that works on it, or the next one that takes it, aborts its uploads. */
  private async end(tx: Transaction, run: ExportRun): Promise<ExportRun> {
    const hasBegun = run.leaseUntil !== null || run.uploads.length > 0;
    const now = new Date(this.clock.nowMs());
    const changes = { state: 'canceled', finishedAt: now, dueAt: hasBegun ? now : null } as const;
    await this.repository.update(tx, run, changes);
    tx.afterCommit(() => this.metrics.countRun('canceled'));
    return { ...run, ...changes };
  }

  private async assertExport(key: ExportKey): Promise<void> {
    if (!(await this.exports.find(key))) throw ApiError.missing('export', key.id);
  }
}

/** @throws ApiError 404 */
function found(run: ExportRun | null, id: string): ExportRun {
  if (!run) throw ApiError.missing('export run', id);
  return run;
}
