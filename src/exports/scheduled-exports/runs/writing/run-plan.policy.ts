import type { Dataset, DatasetName, DatasetRange } from '../../../datasets/dataset.model.js';
import { findDataset } from '../../../datasets/datasets.js';
import type { Export } from '../../export.entity.js';
import type { Cursors, DatasetCursor, ExportMode } from '../../export.model.js';
import type { ModeReason } from '../export-run.model.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Events and ledger entries may be committed this long after the time in them. */
const ARRIVAL_MS = 15 * MINUTE_MS;
/** Keys of deleted rows are kept for 90 days; the last day is left out, because clocks differ. */
const CURSOR_LIFETIME_MS = 89 * DAY_MS;
/** After a full run, the next one looks for late rows in this time before its end. */
const CHECKED_MS = DAY_MS;

export interface SnapshotState {
  /** When the snapshot was taken. */
  atMs: number;
  /** Until when every change is in the report rows. */
  dataUntilMs: number;
  seq: number;
  codeVersion: number;
}

/** One data set of a run, or a window of it. */
export interface PlannedDataset {
  dataset: Dataset;
  mode: ExportMode;
  range: DatasetRange;
  /**
   * The window before `range`, and how many of its rows were delivered: if it has more now, it is delivered again.
   * Undefined: there is nothing to check.
   */
  before?: { fromMs: number; toMs: number; rows: number };
}

export interface RunPlan {
  mode: ExportMode;
  modeReason: ModeReason | null;
  dataUntilMs: number;
  datasets: PlannedDataset[];
}

type Planned = Pick<Export, 'datasets' | 'format' | 'environment' | 'cursors'>;

/** Decides what a run delivers. @param place where its files go, as the cursors name it */
export function planRun(
  { datasets, format, environment, cursors }: Planned,
  requestedMode: ExportMode,
  place: string,
  snapshot: SnapshotState,
): RunPlan {
  const isMoved =
    cursors !== null &&
    (cursors.place !== place || cursors.format !== format || cursors.environment !== environment);
  const reasonOf = (dataset: Dataset): ModeReason | 'by_choice' | null => {
    if (requestedMode === 'full') return 'by_choice';
    if (cursors === null) return 'first';
    if (isMoved) return 'changed';
    return reasonOfDataset(dataset, cursors, snapshot);
  };
  const chosen = datasets.map(({ name, version }) => {
    const dataset = findDataset(name, version);
    if (!dataset) throw new Error(`there is no version ${version} of the data set ${name}`);
    return { dataset, reason: reasonOf(dataset) };
  });
  const planned = chosen.map(({ dataset, reason }) =>
    dataset.incremental === 'change'
      ? byChange(dataset, environment, reason === null ? cursorOf(cursors, dataset.name) : null, snapshot)
      : byTime(dataset, environment, reason === null ? cursorOf(cursors, dataset.name) : null, snapshot),
  );
  const deletions = deletionsFor(planned, environment, snapshot);
  const isFull = chosen.every(({ reason }) => reason !== null);
  const reason = chosen.map(({ reason }) => reason).find((one) => one !== null) ?? null;
  const hasChanges = planned.some(({ dataset }) => dataset.incremental === 'change');
  return {
    mode: isFull ? 'full' : 'incremental',
    modeReason: reason === 'by_choice' ? null : reason,
    dataUntilMs: hasChanges ? snapshot.dataUntilMs : snapshot.atMs - ARRIVAL_MS,
    datasets: [...deletions, ...planned],
  };
}

function cursorOf(cursors: Cursors | null, name: DatasetName): DatasetCursor | null {
  return cursors?.datasets[name] ?? null;
}

function reasonOfDataset(
  { name, version, incremental }: Dataset,
  cursors: Cursors,
  { atMs, codeVersion }: SnapshotState,
): ModeReason | null {
  const cursor = cursorOf(cursors, name);
  if (cursor?.version !== version) return 'changed';
  if (incremental === 'time') return null;
  if (atMs - cursors.atMs > CURSOR_LIFETIME_MS) return 'cursor_expired';
  return 'seq' in cursor && cursor.codeVersion === codeVersion ? null : 'changed';
}

function byChange(
  dataset: Dataset,
  environment: Export['environment'],
  cursor: DatasetCursor | null,
  { seq }: SnapshotState,
): PlannedDataset {
  const fromSeq = cursor && 'seq' in cursor ? cursor.seq : 0;
  const mode = cursor ? 'incremental' : 'full';
  return { dataset, mode, range: { environment, fromSeq, toSeq: seq } };
}

function byTime(
  dataset: Dataset,
  environment: Export['environment'],
  cursor: DatasetCursor | null,
  { atMs }: SnapshotState,
): PlannedDataset {
  const untilMs = atMs - ARRIVAL_MS;
  if (!cursor || !('toMs' in cursor))
    return { dataset, mode: 'full', range: { environment, fromMs: 0, toMs: untilMs } };
  const { fromMs, toMs, rows } = cursor;
  const range = { environment, fromMs: toMs, toMs: Math.max(untilMs, toMs) };
  return { dataset, mode: 'incremental', range, before: { fromMs, toMs, rows } };
}

/** Keys that are gone, for the data sets that are delivered incrementally. */
function deletionsFor(
  planned: PlannedDataset[],
  environment: Export['environment'],
  { seq }: SnapshotState,
): PlannedDataset[] {
  const changed = planned.filter(
    ({ dataset, mode }) => dataset.incremental === 'change' && mode === 'incremental',
  );
  const [first] = changed;
  const dataset = findDataset('deletions');
  if (!first || !dataset) return [];
  const fromSeq = Math.min(...changed.map(({ range }) => ('fromSeq' in range ? range.fromSeq : 0)));
  const deletionsOf = changed.map(({ dataset: { name } }) => name);
  return [{ dataset, mode: 'incremental', range: { environment, fromSeq, toSeq: seq, deletionsOf } }];
}

/** The part of a window whose rows the next run counts again, to find late ones. */
export function checkedWindow({ fromMs, toMs }: { fromMs: number; toMs: number }): {
  fromMs: number;
  toMs: number;
} {
  return { fromMs: Math.max(fromMs, toMs - CHECKED_MS), toMs };
}
