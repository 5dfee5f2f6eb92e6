import type { DatasetEnvironment, DatasetName, FileFormat } from '../datasets/dataset.model.js';

export const exportModes = ['incremental', 'full'] as const;
export type ExportMode = (typeof exportModes)[number];

export const exportStates = ['active', 'paused'] as const;

/** The data sets that an export can name; the server adds `deletions` where they are needed. */
export const exportedDatasets = ['transactions', 'customers', 'subscriptions', 'events', 'ledger'] as const;
export type ExportedDataset = (typeof exportedDatasets)[number];

export interface ExportDataset {
  name: ExportedDataset;
  version: number;
}

/** How far a data set was delivered. */
export type DatasetCursor =
  | { version: number; codeVersion: number; seq: number }
  | { version: number; fromMs: number; toMs: number; rows: number };

export interface Cursors {
  /** `data_until` of the run that wrote them. */
  atMs: number;
  /** Where and how files were written. Another value makes the next run full. */
  place: string;
  format: FileFormat;
  environment: DatasetEnvironment;
  datasets: Partial<Record<DatasetName, DatasetCursor>>;
}
