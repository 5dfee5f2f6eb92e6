export const datasetNames = [
  'transactions',
  'customers',
  'subscriptions',
  'events',
  'ledger',
  'deletions',
] as const;
export type DatasetName = (typeof datasetNames)[number];

/** `decimal`: money and shares. `micros`: millionths of a currency unit, as a whole number. */
export const columnTypes = ['text', 'boolean', 'time', 'decimal', 'micros', 'integer', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

export interface DatasetColumn {
  name: string;
  type: ColumnType;
  isNullable: boolean;
  /** One sentence. */
  description: string;
}

/** In one version, no column is removed, renamed, moved, or given another type or meaning. */
export interface Dataset {
  name: DatasetName;
  version: number;
  /** How its new rows are found: by the project's counter of changes, or by the time at which they were recorded. */
  incremental: 'change' | 'time';
  columns: readonly DatasetColumn[];
}

export const datasetEnvironments = ['production', 'sandbox', 'all'] as const;
export type DatasetEnvironment = (typeof datasetEnvironments)[number];

export const fileFormats = ['csv', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Ends the names of files, by format. */
export const fileEndings: Record<FileFormat, string> = { csv: '.csv.gz', parquet: '.parquet' };

/** PostgreSQL's text form of a value in UTC. JSON is already in the form that files have. */
export type Value = string | null;

interface Range {
  /** Rows of the other environment are left out. Customers and deletions have none. */
  environment: DatasetEnvironment;
}

/** Rows of a data set by change: after `fromSeq` of the project's counter, up to `toSeq`. From 0, it is all rows. */
export interface ChangeRange extends Range {
  fromSeq: number;
  toSeq: number;
  /** Only rows that changed after this time. */
  changedAfterMs?: number;
  /** Only for `deletions`: the data sets whose keys are wanted; by default all. */
  deletionsOf?: readonly DatasetName[];
}

/** Rows of a data set by time: from `fromMs` (inclusive) to `toMs` (exclusive; null: no end). */
export interface TimeRange extends Range {
  fromMs: number;
  toMs: number | null;
}

export type DatasetRange = ChangeRange | TimeRange;
