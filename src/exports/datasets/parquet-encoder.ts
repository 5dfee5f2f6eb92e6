import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ColumnType, Dataset, Value } from './dataset.model.js';
import { parquetSchema } from './parquet-schema.js';

/** The writer's memory grows with the row groups of a file. */
export const ROWS_PER_PARQUET_FILE = 400_000;
/** A multiple of the rows of a batch, and a divisor of those of a file. */
const ROWS_PER_GROUP = 5_000;

export interface ParquetOptions {
  /** Keys and values for the end of each file, besides `dataset` and `version`. */
  metadata: Readonly<Record<string, string>>;
  /** Default: 400,000. */
  rowsPerFile?: number;
  /** Default: 5,000. */
  rowsPerGroup?: number;
}

/** Bytes of one of the files, which are numbered from 0. Bytes of one file come before those of the next. */
export interface ParquetPart {
  file: number;
  bytes: Buffer;
}

/** The last time of a JavaScript date, and the first one. */
const MAX_MS = 8.64e15;
const TIME = /^(\d+)-(\d\d)-(\d\d) (.+)\+00( BC)?$/;

/** A time of PostgreSQL in milliseconds, also of a year that JavaScript would not parse. */
function timeMs(value: string): bigint {
  const [, year = '', month = '', day = '', clock = '', isBefore] = TIME.exec(value) ?? [];
  if (year.length === 4 && !isBefore) return BigInt(Date.parse(`${year}-${month}-${day}T${clock}Z`));
  const signed = isBefore ? 1 - Number(year) : Number(year);
  const digits = String(Math.abs(signed)).padStart(6, '0');
  const ms = Date.parse(`${signed < 0 ? '-' : '+'}${digits}-${month}-${day}T${clock}Z`);
  return BigInt(Number.isNaN(ms) ? Math.sign(signed) * MAX_MS : ms);
}

const values: Record<ColumnType, (value: string) => unknown> = {
  text: (value) => value,
  json: (value) => value,
  boolean: (value) => value === 't',
  time: timeMs,
  decimal: Number,
  micros: BigInt,
  integer: BigInt,
};

/** Rows by column. Equal texts share one value, so that a group does not keep the texts of all its rows in memory. */
class RowGroup {
  rows = 0;
  private readonly columns;

  constructor({ columns }: Dataset) {
    this.columns = columns.map(({ name, type }) => ({
      name,
      convert: values[type],
      known: new Map<string, unknown>(),
      data: [] as unknown[],
    }));
  }

  add(rows: Value[][]): void {
    for (const [index, { convert, known, data }] of this.columns.entries()) {
      for (const row of rows) {
        const text = row[index] ?? null;
        if (text !== null && !known.has(text)) known.set(text, convert(text));
        data.push(text === null ? null : known.get(text));
      }
    }
    this.rows += rows.length;
  }

  columnData() {
    return this.columns.map(({ name, data }) => ({ name, data, offsetIndex: false }));
  }
}

class ParquetFile {
  rows = 0;
  private readonly parquet: ParquetWriter;

  constructor(
    writers: { ByteWriter: typeof ByteWriter; ParquetWriter: typeof ParquetWriter },
    dataset: Dataset,
    metadata: Readonly<Record<string, string>>,
    private readonly writer = new writers.ByteWriter(),
  ) {
    const entries = { dataset: dataset.name, version: String(dataset.version), ...metadata };
    this.parquet = new writers.ParquetWriter({
      writer,
      schema: parquetSchema(dataset),
      createdBy: 'tenure',
      kvMetadata: Object.entries(entries).map(([key, value]) => ({ key, value })),
    });
  }

  /** Returns the bytes of the group. */
  add(group: RowGroup): Buffer {
    void this.parquet.write({ columnData: group.columnData(), rowGroupSize: group.rows });
    this.rows += group.rows;
    return this.written();
  }

  end(): Buffer {
    void this.parquet.finish();
    return this.written();
  }

  private written(): Buffer {
    const bytes = Buffer.from(this.writer.getBytes());
    this.writer.index = 0;
    return bytes;
  }
}

/** Groups of at least `size` rows, except the last one. */
async function* groupsOf(
  batches: AsyncIterable<Value[][]>,
  dataset: Dataset,
  size: number,
): AsyncGenerator<RowGroup> {
  let group = new RowGroup(dataset);
  for await (const rows of batches) {
    group.add(rows);
    if (group.rows < size) continue;
    yield group;
    group = new RowGroup(dataset);
  }
  if (group.rows > 0) yield group;
}

/** The files of a data set in Parquet, compressed with Snappy. Without rows, there is one file with a schema. */
export async function* encodeParquet(
  batches: AsyncIterable<Value[][]>,
  dataset: Dataset,
  { metadata, rowsPerFile = ROWS_PER_PARQUET_FILE, rowsPerGroup = ROWS_PER_GROUP }: ParquetOptions,
): AsyncGenerator<ParquetPart> {
  const writers = await import('hyparquet-writer');
  let file = 0;
  let parquet = new ParquetFile(writers, dataset, metadata);
  for await (const group of groupsOf(batches, dataset, rowsPerGroup)) {
    if (parquet.rows > 0 && parquet.rows + group.rows > rowsPerFile) {
      yield { file, bytes: parquet.end() };
      file++;
      parquet = new ParquetFile(writers, dataset, metadata);
    }
    yield { file, bytes: parquet.add(group) };
  }
  yield { file, bytes: parquet.end() };
}
