import { Injectable } from '@nestjs/common';
import type { ProjectWrite } from '../../platform/audit/project-write.js';
import { ProjectWritesService } from '../../platform/audit/project-writes.service.js';
import {
  type ReportSnapshot,
  ReportSnapshotsService,
} from '../../platform/database/connections/report-snapshots.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { encodeCsv } from '../datasets/csv-encoder.js';
import {
  type Dataset,
  type DatasetEnvironment,
  type DatasetRange,
  fileEndings,
  type FileFormat,
  type Value,
} from '../datasets/dataset.model.js';
import { DatasetReaderService } from '../datasets/dataset-reader.service.js';
import { encodeParquet } from '../datasets/parquet-encoder.js';
import { ReportRowsService } from '../report-rows/report-rows.service.js';

export interface DownloadRequest {
  dataset: Dataset;
  format: FileFormat;
  environment: DatasetEnvironment;
  /** Only rows that changed, or were recorded, after this time. */
  updatedAfter: Date | null;
  isSpreadsheetSafe: boolean;
}

export interface DownloadFile {
  name: string;
  mediaType: string;
  bytes: AsyncIterable<Buffer>;
}

/** Downloads at once, in each process: each holds a connection for reports. */
const MOST_AT_ONCE = 2;
const RETRY_S = 5;
/** How long (ms) a download waits for such a connection. */
const PATIENCE_MS = 10_000;
/** The first build of a project's rows usually takes minutes. */
const BUILD_RETRY_S = 60;

const mediaTypes: Record<FileFormat, string> = {
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

/** Single data sets of a project, each from one snapshot. */
@Injectable()
export class DatasetDownloadsService {
  private running = 0;

  constructor(
    private readonly snapshots: ReportSnapshotsService,
    private readonly reader: DatasetReaderService,
    private readonly rows: ReportRowsService,
    private readonly database: DatabaseService,
    private readonly writes: ProjectWritesService,
  ) {}

  /**
   * Records the download in the audit log, and passes its file to `send`.
   * @throws ApiError 503 if too many downloads are running, or while the rows of the project are built for the first time
   */
  async run(
    write: ProjectWrite,
    request: DownloadRequest,
    send: (file: DownloadFile) => Promise<void>,
  ): Promise<void> {
    if (this.running >= MOST_AT_ONCE)
      throw new ApiError('overloaded', 'Too many downloads are running; try again later.', {
        retryAfterS: RETRY_S,
      });
    this.running++;
    try {
      const { projectId } = write;
      if (request.dataset.incremental === 'change')
        await this.database.transaction((tx) => this.rows.enable(tx, projectId));
      await this.snapshots.run({ patienceMs: PATIENCE_MS }, async (snapshot) => {
        const range = await this.rangeOf(snapshot, projectId, request);
        await this.audit(write, request);
        await send(this.fileOf(snapshot, projectId, request, range));
      });
    } finally {
      this.running--;
    }
  }

  /** @throws ApiError 503 if the rows have not been built yet */
  private async rangeOf(
    snapshot: ReportSnapshot,
    projectId: string,
    { dataset, environment, updatedAfter }: DownloadRequest,
  ): Promise<DatasetRange> {
    if (dataset.incremental === 'time')
      return { environment, fromMs: updatedAfter?.getTime() ?? 0, toMs: null };
    const { isBuilt, seq } = await this.rows.status(snapshot, projectId);
    if (!isBuilt)
      throw new ApiError('overloaded', 'Your data is being prepared. Try again in a few minutes.', {
        retryAfterS: BUILD_RETRY_S,
      });
    return { environment, fromSeq: 0, toSeq: seq, changedAfterMs: updatedAfter?.getTime() };
  }

  private audit(write: ProjectWrite, { dataset, format, environment }: DownloadRequest): Promise<void> {
    const { name, version } = dataset;
    const data = { version, format, environment };
    return this.writes.run(write, (tx) =>
      tx.audit({ action: 'downloaded', target: 'data', targetId: name, data }),
    );
  }

  private fileOf(
    snapshot: ReportSnapshot,
    projectId: string,
    { dataset, format, isSpreadsheetSafe }: DownloadRequest,
    range: DatasetRange,
  ): DownloadFile {
    const batches = this.reader.read(snapshot, projectId, dataset, range);
    return {
      name: `${dataset.name}_${Math.floor(snapshot.atMs / 1000)}${fileEndings[format]}`,
      mediaType: mediaTypes[format],
      bytes:
        format === 'csv'
          ? encodeCsv(batches, dataset, { isSpreadsheetSafe })
          : oneParquetFile(batches, dataset, snapshot.atMs),
    };
  }
}

/** A response has one file, whatever its number of rows. */
async function* oneParquetFile(
  batches: AsyncIterable<Value[][]>,
  dataset: Dataset,
  atMs: number,
): AsyncGenerator<Buffer> {
  const options = { metadata: { snapshot_at: String(atMs) }, rowsPerFile: Infinity };
  for await (const { bytes } of encodeParquet(batches, dataset, options)) yield bytes;
}
