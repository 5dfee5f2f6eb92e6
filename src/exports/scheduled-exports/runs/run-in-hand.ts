import type { FileStore } from '../../../../libs/file-stores/index.js';
import type { OpenedDestination } from '../../destinations/export-destinations.service.js';
import type { Export } from '../export.entity.js';
import type { ExportRun } from './export-run.entity.js';
import type { RunUpload } from './export-run.model.js';
import type { ClaimedRun } from './export-runs.repository.js';

/** A run that this process works on. */
export interface RunAttempt {
  claimed: ClaimedRun;
  /** Equals the stored row: each save changes both. */
  run: ExportRun;
  /** Null until the destination is open, and if it cannot be opened. */
  store: FileStore | null;
  /** Uploads that this process has begun or taken over, also if they could not be saved any more. */
  uploads: RunUpload[];
  /** Keys that this process has made visible. */
  completed: string[];
}

/** The same run, with everything that writing and completing need. */
export interface RunInHand extends RunAttempt {
  parent: Export;
  destination: OpenedDestination & { place: string };
  store: FileStore;
  /** Aborted when the process stops. */
  signal: AbortSignal;
}
