import type { PartTag, UploadHandle } from '../../../../libs/file-stores/index.js';
import type { DatasetName, FileFormat } from '../../datasets/dataset.model.js';
import type { ExportMode } from '../export.model.js';

export const runStates = [
  'queued',
  'preparing',
  'writing',
  'completing',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type RunState = (typeof runStates)[number];

export const runTriggers = ['schedule', 'manual', 'api', 'cli'] as const;
export type RunTrigger = (typeof runTriggers)[number];

/** Why a run of an incremental export delivers every row of at least one data set. */
export const modeReasons = ['first', 'cursor_expired', 'changed'] as const;
export type ModeReason = (typeof modeReasons)[number];

export const runErrorCodes = [
  'access_denied',
  'not_found',
  'wrong_region',
  'host_key_changed',
  'address_refused',
  'timeout',
  'unreachable',
  'store_error',
  'no_space',
  'already_exists',
  'snapshot_expired',
  'replica_conflict',
  'interrupted',
  'internal',
] as const;
export type RunErrorCode = (typeof runErrorCodes)[number];

/** A file as the manifest lists it. */
export interface ManifestFile {
  dataset: DatasetName;
  version: number;
  format: FileFormat;
  compression: 'gzip' | 'snappy';
  mode: ExportMode;
  key: string;
  rows: number;
  bytes: number;
  sha256: string;
  /** By change: after `from_seq`, up to `to_seq`. */
  from_seq?: number;
  to_seq?: number;
  /** By time: from `from` (inclusive) to `to` (exclusive), epoch milliseconds. */
  from?: number;
  to?: number;
  redelivered?: true;
  columns: string[];
}

/** An upload that has begun: what another process needs to complete or abort it. */
export interface RunUpload {
  upload: UploadHandle;
  /** Empty until all parts are stored. */
  parts: PartTag[];
  bytes: number;
}
