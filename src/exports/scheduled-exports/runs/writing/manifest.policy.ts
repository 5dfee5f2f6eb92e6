import type { DatasetEnvironment } from '../../../datasets/dataset.model.js';
import type { ExportMode } from '../../export.model.js';
import type { ManifestFile, ModeReason } from '../export-run.model.js';

export interface Manifest {
  projectId: string;
  exportId: string;
  runId: string;
  attempt: number;
  mode: ExportMode;
  modeReason: ModeReason | null;
  snapshotMs: number;
  dataUntilMs: number;
  environment: DatasetEnvironment;
  files: ManifestFile[];
}

/** The text of a manifest. It is stored before anything is visible, so that each process writes the same bytes. */
export function manifestText(manifest: Manifest): string {
  const { files } = manifest;
  const text = JSON.stringify(
    {
      object: 'export_manifest',
      format_version: 1,
      project_id: manifest.projectId,
      export_id: manifest.exportId,
      run_id: manifest.runId,
      attempt: manifest.attempt,
      mode: manifest.mode,
      mode_reason: manifest.modeReason,
      snapshot_at: manifest.snapshotMs,
      data_until: manifest.dataUntilMs,
      environment: manifest.environment,
      files,
    },
    null,
    2,
  );
  return `${text}\n`;
}
