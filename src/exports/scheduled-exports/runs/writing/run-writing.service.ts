import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { UploadHandle } from '../../../../../libs/file-stores/index.js';
import {
  type ReportSnapshot,
  ReportSnapshotsService,
} from '../../../../platform/database/connections/report-snapshots.service.js';
import { ReportRowsService } from '../../../report-rows/report-rows.service.js';
import type { Cursors, DatasetCursor } from '../../export.model.js';
import { ExportRunMetrics } from '../export-run.metrics.js';
import { ExportRunsRepository } from '../export-runs.repository.js';
import type { RunInHand } from '../run-in-hand.js';
import { manifestText } from './manifest.policy.js';
import { RunLost } from './run-errors.js';
import { RunFilesService, type StoredFile, type WrittenDataset } from './run-files.service.js';
import { planRun, type RunPlan } from './run-plan.policy.js';

/** How often progress is stored, and a run that was canceled notices it. */
const PROGRESS_MS = 5_000;
const SECOND_MS = 1_000;

interface Written {
  plan: RunPlan;
  snapshotMs: number;
  files: StoredFile[];
  cursors: Partial<Record<string, DatasetCursor>>;
}

/** Writes all files of a run from one snapshot of the database. Nothing of them is visible yet. */
@Injectable()
export class RunWritingService {
  constructor(
    private readonly runs: ExportRunsRepository,
    private readonly snapshots: ReportSnapshotsService,
    private readonly reportRows: ReportRowsService,
    private readonly files: RunFilesService,
    private readonly metrics: ExportRunMetrics,
  ) {}

  /** Leaves the run ready to be completed. @throws RunLost, RunStopped, and the errors of stores and snapshots */
  async write(hand: RunInHand): Promise<void> {
    const written = await this.inSnapshot(hand);
    const { claimed, parent, run } = hand;
    const { plan, snapshotMs, files } = written;
    const entries = files.map(({ entry }) => entry);
    const uploads = files.map(({ upload, parts, entry }) => ({ upload, parts, bytes: entry.bytes }));
    const manifest = manifestText({
      projectId: claimed.projectId,
      exportId: parent.id,
      runId: run.id,
      attempt: run.attempt,
      mode: plan.mode,
      modeReason: plan.modeReason,
      snapshotMs,
      dataUntilMs: plan.dataUntilMs,
      environment: parent.environment,
      files: entries,
    });
    const after: Cursors = {
      atMs: plan.dataUntilMs,
      place: placeOf(hand),
      format: parent.format,
      environment: parent.environment,
      datasets: written.cursors,
    };
    hand.uploads = uploads;
    await this.runs.save(hand, {
      state: 'completing',
      files: entries,
      uploads,
      manifest,
      cursors: { resets: parent.resets, after },
      rows: entries.reduce((sum, { rows }) => sum + rows, 0),
      bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }

  /** Two runs into one place need different seconds in their names: the later one reads a later snapshot. */
  private async inSnapshot(hand: RunInHand): Promise<Written> {
    const options = { isPrimaryOnly: hand.run.isPrimaryOnly };
    for (;;) {
      const written = await this.snapshots.run(options, (snapshot) => this.fromSnapshot(hand, snapshot));
      if (written) return written;
      await sleep(SECOND_MS, undefined, { signal: hand.signal });
    }
  }

  /** Null if the second of the snapshot is taken. */
  private async fromSnapshot(hand: RunInHand, snapshot: ReportSnapshot): Promise<Written | null> {
    const { claimed, parent, run } = hand;
    const { projectId } = claimed;
    const { seq, dataUntilMs, codeVersion } = await this.reportRows.status(snapshot, projectId);
    const state = { atMs: snapshot.atMs, seq, dataUntilMs, codeVersion };
    const plan = planRun(parent, run.requestedMode, placeOf(hand), state);
    const second = Math.floor(snapshot.atMs / SECOND_MS);
    if (!(await this.reserve(hand, plan, snapshot.atMs, second))) return null;
    const progress = { rows: 0, savedAt: performance.now() };
    const context = {
      projectId,
      runId: run.id,
      settings: parent,
      names: { prefix: hand.destination.prefix, second },
      codeVersion,
      snapshot,
      store: hand.store,
      signal: hand.signal,
      saveUpload: (upload: UploadHandle) => this.saveUpload(hand, upload),
      noteRows: (rows: number) => this.noteProgress(hand, progress, rows),
    };
    const written: WrittenDataset[] = [];
    const cursors: Written['cursors'] = {};
    for (const planned of plan.datasets) {
      const one = await this.files.write(context, planned);
      written.push(one);
      if (one.cursor) cursors[planned.dataset.name] = one.cursor;
      if (one.lateRows > 0) this.metrics.countLateRows(one.lateRows);
    }
    return { plan, snapshotMs: snapshot.atMs, files: written.flatMap(({ files }) => files), cursors };
  }

  /** Returns false if another run, or an earlier attempt, has used the second. */
  private async reserve(
    hand: RunInHand,
    { mode, modeReason, dataUntilMs }: RunPlan,
    atMs: number,
    second: number,
  ): Promise<boolean> {
    const { claimed, destination, run } = hand;
    if (run.nameSecond !== null && second <= Number(run.nameSecond)) return false;
    const changes = {
      state: 'writing' as const,
      mode,
      modeReason,
      place: destination.place,
      prefix: destination.prefix,
      nameSecond: second,
      snapshotAt: new Date(atMs),
      dataUntil: new Date(dataUntilMs),
      rows: 0,
      bytes: 0,
      files: [],
      uploads: [],
      manifest: null,
      cursors: null,
    };
    const reserved = await this.runs.reserveNames(claimed, changes);
    if (reserved === null) throw new RunLost();
    if (reserved) hand.run = { ...run, ...changes };
    return reserved;
  }

  private async saveUpload(hand: RunInHand, upload: UploadHandle): Promise<void> {
    // Also aborted if the run was lost meanwhile.
    hand.uploads.push({ upload, parts: [], bytes: 0 });
    await this.runs.save(hand, { uploads: hand.uploads });
  }

  private async noteProgress(
    hand: RunInHand,
    progress: { rows: number; savedAt: number },
    rows: number,
  ): Promise<void> {
    progress.rows += rows;
    if (performance.now() - progress.savedAt < PROGRESS_MS) return;
    progress.savedAt = performance.now();
    await this.runs.save(hand, { rows: progress.rows });
  }
}

/** Names the place and folder in cursors: files that go elsewhere begin with a full run. */
function placeOf({ destination: { place, prefix } }: RunInHand): string {
  return `${place} ${prefix}`;
}
