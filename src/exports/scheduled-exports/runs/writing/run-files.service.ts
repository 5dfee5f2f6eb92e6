import { Injectable } from '@nestjs/common';
import type { FileStore, PartTag, UploadHandle } from '../../../../../libs/file-stores/index.js';
import type { ReportSnapshot } from '../../../../platform/database/connections/report-snapshots.service.js';
import { encodeCsv } from '../../../datasets/csv-encoder.js';
import type { Value } from '../../../datasets/dataset.model.js';
import { DatasetReaderService } from '../../../datasets/dataset-reader.service.js';
import { encodeParquet, ROWS_PER_PARQUET_FILE } from '../../../datasets/parquet-encoder.js';
import type { Export } from '../../export.entity.js';
import type { DatasetCursor } from '../../export.model.js';
import type { ManifestFile } from '../export-run.model.js';
import { fileKey, type NameParts } from './file-names.policy.js';
import { PartWriter } from './part-writer.js';
import { checkedWindow, type PlannedDataset } from './run-plan.policy.js';

/** A file whose parts are all stored, but which is not visible yet. */
export interface StoredFile {
  upload: UploadHandle;
  parts: PartTag[];
  entry: ManifestFile;
}

/** Everything that the files of one run share. */
export interface FilesContext {
  projectId: string;
  runId: string;
  settings: Pick<Export, 'format' | 'spreadsheetSafe'>;
  names: NameParts;
  codeVersion: number;
  snapshot: ReportSnapshot;
  store: FileStore;
  signal: AbortSignal;
  /** Called with every upload before its first part. @throws if the run has been lost */
  saveUpload: (upload: UploadHandle) => Promise<void>;
  /** Called with every batch of rows. @throws if the run has been lost */
  noteRows: (rows: number) => Promise<void>;
}

export interface WrittenDataset {
  files: StoredFile[];
  cursor: DatasetCursor | null;
  /** Rows that arrived after their window had been delivered. */
  lateRows: number;
}

/** Writes the rows of a data set into files at the destination, which stay invisible. */
@Injectable()
export class RunFilesService {
  constructor(private readonly reader: DatasetReaderService) {}

  async write(context: FilesContext, planned: PlannedDataset): Promise<WrittenDataset> {
    const { dataset, range, before } = planned;
    const late = before ? await this.lateRows(context, planned, before) : 0;
    const again =
      before && late > 0
        ? await this.writeFiles(
            context,
            {
              ...planned,
              range: { environment: range.environment, fromMs: before.fromMs, toMs: before.toMs },
            },
            true,
          )
        : [];
    const files = await this.writeFiles(context, planned, false);
    const cursor = await this.cursorAfter(context, planned, files);
    return {
      files: [...again, ...files],
      cursor: dataset.name === 'deletions' ? null : cursor,
      lateRows: late,
    };
  }

  /** How many rows a window has more than were delivered. Fewer are erasures. */
  private async lateRows(
    context: FilesContext,
    { dataset, range: { environment } }: PlannedDataset,
    { fromMs, toMs, rows }: { fromMs: number; toMs: number; rows: number },
  ): Promise<number> {
    const now = await this.count(context, {
      dataset,
      mode: 'incremental',
      range: { environment, fromMs, toMs },
    });
    return Math.max(0, now - rows);
  }

  private async count(
    { projectId, snapshot, signal }: FilesContext,
    { dataset, range }: PlannedDataset,
  ): Promise<number> {
    let rows = 0;
    for await (const batch of this.reader.read(snapshot, projectId, dataset, range)) {
      signal.throwIfAborted();
      rows += batch.length;
    }
    return rows;
  }

  private async cursorAfter(
    context: FilesContext,
    planned: PlannedDataset,
    files: StoredFile[],
  ): Promise<DatasetCursor> {
    const { dataset, range, mode } = planned;
    const { version } = dataset;
    if ('toSeq' in range) return { version, codeVersion: context.codeVersion, seq: range.toSeq };
    const window = { fromMs: range.fromMs, toMs: range.toMs ?? range.fromMs };
    const rows = files.reduce((sum, { entry }) => sum + entry.rows, 0);
    if (mode === 'incremental') return { version, ...window, rows };
    const checked = checkedWindow(window);
    const counted = await this.count(context, {
      ...planned,
      range: { environment: range.environment, ...checked },
    });
    return { version, ...checked, rows: counted };
  }

  private async writeFiles(
    context: FilesContext,
    planned: PlannedDataset,
    isRedelivered: boolean,
  ): Promise<StoredFile[]> {
    const { format } = context.settings;
    const files: StoredFile[] = [];
    const total = { rows: 0 };
    let open: OpenFile | null = null;
    try {
      for await (const { file, bytes } of encoded(this.counted(context, planned, total), context, planned)) {
        if (open?.number !== file) {
          const rowsBefore = file * ROWS_PER_PARQUET_FILE;
          if (open) files.push(await finished(open, planned, format, rowsBefore));
          const key = fileKey(context.names, planned.dataset.name, format, file + 1, isRedelivered);
          open = await this.openFile(context, key, { number: file, rowsBefore, isRedelivered });
        }
        await open.writer.write(bytes);
      }
      if (open) files.push(await finished(open, planned, format, total.rows));
      return files;
    } catch (error) {
      // Nothing may be written behind the abort that follows.
      await open?.writer.stop();
      throw error;
    }
  }

  private async openFile(
    { store, signal, saveUpload }: FilesContext,
    key: string,
    file: Pick<OpenFile, 'number' | 'rowsBefore' | 'isRedelivered'>,
  ): Promise<OpenFile> {
    const upload = await store.open(key);
    await saveUpload(upload);
    return { ...file, upload, writer: new PartWriter(store, upload, signal) };
  }

  private async *counted(
    context: FilesContext,
    { dataset, range }: PlannedDataset,
    total: { rows: number },
  ): AsyncGenerator<Value[][]> {
    const { snapshot, projectId, signal, noteRows } = context;
    for await (const batch of this.reader.read(snapshot, projectId, dataset, range)) {
      signal.throwIfAborted();
      total.rows += batch.length;
      await noteRows(batch.length);
      yield batch;
    }
  }
}

interface OpenFile {
  number: number;
  upload: UploadHandle;
  writer: PartWriter;
  /** Rows of the files before this one. */
  rowsBefore: number;
  isRedelivered: boolean;
}

async function finished(
  { upload, writer, rowsBefore, isRedelivered }: OpenFile,
  planned: PlannedDataset,
  format: Export['format'],
  rowsUntil: number,
): Promise<StoredFile> {
  const { parts, bytes, sha256 } = await writer.end();
  const file = { key: upload.key, rows: rowsUntil - rowsBefore, bytes, sha256 };
  return { upload, parts, entry: entryOf(planned, format, file, isRedelivered) };
}

interface EncodedBytes {
  /** From 0. */
  file: number;
  bytes: Buffer;
}

async function* encoded(
  rows: AsyncIterable<Value[][]>,
  { settings, runId, snapshot }: FilesContext,
  { dataset }: PlannedDataset,
): AsyncGenerator<EncodedBytes> {
  if (settings.format === 'csv') {
    const options = { isSpreadsheetSafe: settings.spreadsheetSafe };
    for await (const bytes of encodeCsv(rows, dataset, options)) yield { file: 0, bytes };
    return;
  }
  const metadata = { run_id: runId, snapshot_at: new Date(snapshot.atMs).toISOString() };
  yield* encodeParquet(rows, dataset, { metadata });
}

function entryOf(
  { dataset, mode, range }: PlannedDataset,
  format: Export['format'],
  file: Pick<ManifestFile, 'key' | 'rows' | 'bytes' | 'sha256'>,
  isRedelivered: boolean,
): ManifestFile {
  const span =
    'toSeq' in range
      ? { from_seq: range.fromSeq, to_seq: range.toSeq }
      : { from: range.fromMs, to: range.toMs ?? range.fromMs };
  return {
    dataset: dataset.name,
    version: dataset.version,
    format,
    compression: format === 'csv' ? 'gzip' : 'snappy',
    mode,
    ...file,
    ...span,
    ...(isRedelivered && { redelivered: true as const }),
    columns: dataset.columns.map(({ name }) => name),
  };
}
