import { type FileStoreErrorCode, isFileStoreError } from '../../../../../libs/file-stores/index.js';
import {
  ReplicaConflict,
  SnapshotExpired,
} from '../../../../platform/database/connections/report-snapshots.service.js';
import type { RunErrorCode } from '../export-run.model.js';

export const MAX_ATTEMPTS = 3;
const RETRY_MS = 5 * 60_000;

/** The run was canceled, or another process has taken it. */
export class RunLost extends Error {}

/** The process is stopping: another one continues the run. */
export class RunStopped extends Error {}

/** A run that cannot continue, for a reason that its owner can read. */
export class RunFailed extends Error {
  constructor(
    readonly code: RunErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export interface RunError {
  code: RunErrorCode;
  /** A sentence without secrets. */
  message: string;
  /** Time until the next attempt; null: there is none. */
  retryMs: number | null;
  /** The uploads of the attempt cannot become visible any more. */
  isUploadUseless: boolean;
}

const retried: Partial<Record<RunErrorCode, number>> = {
  timeout: RETRY_MS,
  unreachable: RETRY_MS,
  store_error: RETRY_MS,
  already_exists: 0,
  replica_conflict: 0,
};

function codeOf(code: FileStoreErrorCode): RunErrorCode {
  return code === 'upload_lost' ? 'store_error' : code;
}

/** The reason of a failed attempt. Null for a fault of the server, which belongs into its log. */
function knownError(error: unknown): Pick<RunError, 'code' | 'message'> | null {
  if (error instanceof RunFailed) return error;
  if (isFileStoreError(error)) return { code: codeOf(error.code), message: error.message };
  if (error instanceof SnapshotExpired) return { code: 'snapshot_expired', message: `${error.message}.` };
  if (error instanceof ReplicaConflict)
    return {
      code: 'replica_conflict',
      message: 'The read replica ended the read. The next attempt reads the primary.',
    };
  return null;
}

/** @returns null for a fault of the server */
export function runErrorOf(error: unknown): RunError | null {
  const known = knownError(error);
  if (!known) return null;
  const isUploadUseless = isFileStoreError(error, 'upload_lost', 'already_exists');
  const retryMs = isUploadUseless ? 0 : (retried[known.code] ?? null);
  return { code: known.code, message: known.message, retryMs, isUploadUseless };
}

export const internalError: RunError = {
  code: 'internal',
  message: 'The run failed because of a fault of the server, which is in its log.',
  retryMs: null,
  isUploadUseless: false,
};

export const interruptedError: RunError = {
  code: 'interrupted',
  message: 'The server stopped three times during the run.',
  retryMs: null,
  isUploadUseless: false,
};
