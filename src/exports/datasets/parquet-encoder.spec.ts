import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ColumnType, Dataset, Value } from './dataset.model.js';
import { encodeParquet } from './parquet-encoder.js';

const types: ColumnType[] = ['text', 'boolean', 'time', 'decimal', 'micros', 'integer', 'json'];
const dataset: Dataset = {
  name: 'ledger',
  version: 1,
  incremental: 'time',
  columns: [
    { name: 'id', type: 'integer', isNullable: false, description: '' },
    ...types.map((type) => ({ name: type, type, isNullable: true, description: '' })),
  ],
};
const metadata = { run_id: 'exr_1', snapshot_at: '1795748400000' };

async function* batchesOf(...batches: Value[][][]): AsyncGenerator<Value[][]> {
  for (const rows of batches) yield await Promise.resolve(rows);
}

async function filesOf(batches: AsyncIterable<Value[][]>, sizes = {}): Promise<ArrayBuffer[]> {
  const files: Buffer[][] = [];
  for await (const { file, bytes } of encodeParquet(batches, dataset, { metadata, ...sizes }))
    (files[file] ??= []).push(bytes);
  return files.map((parts) => Uint8Array.from(Buffer.concat(parts)).buffer);
}

const numbered = (from: number, count: number): Value[][] =>
  Array.from({ length: count }, (_, index) => [String(from + index), ...types.map(() => null)]);
const idsOf = async (file: ArrayBuffer) =>
  (await parquetReadObjects({ file })).map((row) => Number((row as { id: bigint }).id));

describe('files of Parquet', () => {
  it('holds values with their types', async () => {
    const row = ['1', 'a ü', 't', '2026-01-01 09:00:00.123+00', '9.990000', '9990000', '-3', '{"a":1}'];
    const [file = new ArrayBuffer()] = await filesOf(batchesOf([row, ['2', ...types.map(() => null)]]));
    expect(await parquetReadObjects({ file })).toEqual([
      {
        id: 1n,
        text: 'a ü',
        boolean: true,
        time: new Date('2026-01-01T09:00:00.123Z'),
        decimal: 9.99,
        micros: 9990000n,
        integer: -3n,
        json: '{"a":1}',
      },
      { id: 2n, ...Object.fromEntries(types.map((type) => [type, null])) },
    ]);
  });

  it('keeps an empty text apart from null', async () => {
    const [file = new ArrayBuffer()] = await filesOf(
      batchesOf([['1', '', ...types.slice(1).map(() => null)]]),
    );
    expect(await parquetReadObjects({ file })).toMatchObject([{ text: '', json: null }]);
  });

  it.each([
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
    ['10000-01-01 00:00:00.5+00', '+010000-01-01T00:00:00.500Z'],
    ['290000-01-01 00:00:00+00', '+275760-09-13T00:00:00.000Z'],
  ])('holds unusual times: %s', async (time, iso) => {
    const [file = new ArrayBuffer()] = await filesOf(
      batchesOf([['1', null, null, time, null, null, null, null]]),
    );
    expect(await parquetReadObjects({ file })).toMatchObject([{ time: new Date(iso) }]);
  });

  it('names the data set, the run and the writer', async () => {
    const [file = new ArrayBuffer()] = await filesOf(batchesOf(numbered(1, 2)));
    const { created_by, key_value_metadata, row_groups } = parquetMetadata(file);
    expect(created_by).toBe('tenure');
    expect(Object.fromEntries((key_value_metadata ?? []).map(({ key, value }) => [key, value]))).toEqual({
      dataset: 'ledger',
      version: '1',
      ...metadata,
    });
    expect(row_groups[0]?.columns[0]?.meta_data?.codec).toBe('SNAPPY');
  });

  it('has row groups of several batches, and a new file after a number of rows', async () => {
    const batches = batchesOf(...[1, 3, 5, 7, 9].map((from) => numbered(from, 2)), numbered(11, 1));
    const files = await filesOf(batches, { rowsPerGroup: 4, rowsPerFile: 8 });
    expect(
      files.map((file) => parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))),
    ).toEqual([[4, 4], [3]]);
    expect(await Promise.all(files.map(idsOf))).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11],
    ]);
  });

  it('has one file with a schema without rows', async () => {
    const files = await filesOf(batchesOf());
    expect(files.map((file) => parquetMetadata(file).schema.map(({ name }) => name))).toEqual([
      ['root', 'id', ...types],
    ]);
    expect(await parquetReadObjects({ file: files[0] ?? new ArrayBuffer() })).toEqual([]);
  });

  it('has the same bytes for the same rows', async () => {
    const [first, second] = [
      await filesOf(batchesOf(numbered(1, 9))),
      await filesOf(batchesOf(numbered(1, 9))),
    ];
    expect(first.map((file) => Buffer.from(file).toString('hex'))).toEqual(
      second.map((file) => Buffer.from(file).toString('hex')),
    );
  });
});
