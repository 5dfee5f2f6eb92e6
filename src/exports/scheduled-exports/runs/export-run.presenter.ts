import type { ExportRunDto } from './export-run.dto.js';
import type { ExportRun } from './export-run.entity.js';

export function presentExportRun(run: ExportRun): ExportRunDto {
  const { errorCode, errorMessage } = run;
  return {
    object: 'export_run',
    id: run.id,
    export_id: run.exportId,
    state: run.state,
    trigger: run.trigger,
    mode: run.mode,
    mode_reason: run.modeReason,
    attempt: run.attempt,
    snapshot_at: run.snapshotAt?.getTime() ?? null,
    data_until: run.dataUntil?.getTime() ?? null,
    started_at: run.startedAt?.getTime() ?? null,
    finished_at: run.finishedAt?.getTime() ?? null,
    rows: Number(run.rows),
    bytes: Number(run.bytes),
    files: run.files.map(({ dataset, key, rows, bytes, sha256 }) => ({ dataset, key, rows, bytes, sha256 })),
    warnings: run.warnings,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    created_at: run.createdAt.getTime(),
  };
}
