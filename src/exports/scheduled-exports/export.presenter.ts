import type { ExportDto } from './export.dto.js';
import type { Export } from './export.entity.js';
import type { ExportRun } from './runs/export-run.entity.js';
import { presentExportRun } from './runs/export-run.presenter.js';

export interface ExportWithLastRun {
  found: Export;
  lastRun: ExportRun | null;
}

export function presentExport({ found, lastRun }: ExportWithLastRun): ExportDto {
  return {
    object: 'export',
    id: found.id,
    name: found.name,
    destination_id: found.destinationId,
    datasets: found.datasets,
    format: found.format,
    mode: found.mode,
    schedule: found.schedule,
    environment: found.environment,
    spreadsheet_safe: found.spreadsheetSafe,
    state: found.state,
    next_run_at: found.nextDueAt?.getTime() ?? null,
    last_run: lastRun && presentExportRun(lastRun),
    consecutive_failures: found.consecutiveFailures,
    cursor: { at: found.cursors?.atMs ?? null },
    created_at: found.createdAt.getTime(),
    updated_at: found.updatedAt.getTime(),
  };
}
