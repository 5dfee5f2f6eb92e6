import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { encodeCsv } from './csv-encoder.js';
import type { ColumnType, Dataset, Value } from './dataset.model.js';

const types: ColumnType[] = ['text', 'boolean', 'time', 'decimal', 'micros', 'integer', 'json'];
const dataset: Dataset = {
  name: 'ledger',
  version: 1,
  incremental: 'time',
  columns: types.map((type) => ({ name: type, type, isNullable: true, description: '' })),
};

async function* batchesOf(...batches: Value[][][]): AsyncGenerator<Value[][]> {
  for (const rows of batches) yield await Promise.resolve(rows);
}

async function encoded(batches: AsyncIterable<Value[][]>, isSpreadsheetSafe = false): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of encodeCsv(batches, dataset, { isSpreadsheetSafe })) parts.push(part);
  return Buffer.concat(parts);
}

const row = (values: Partial<Record<ColumnType, string>>): Value[] =>
  types.map((type) => values[type] ?? null);
const lineOf = async (
  values: Partial<Record<ColumnType, string>>,
  isSpreadsheetSafe = false,
): Promise<string> =>
  gunzipSync(await encoded(batchesOf([row(values)]), isSpreadsheetSafe))
    .toString()
    .split('\n')[1] ?? '';

describe('a file of CSV', () => {
  it('has a header, a line for each row and LF at the end of each', async () => {
    const bytes = await encoded(batchesOf([row({ text: 'a' })], [row({ text: 'b' }), row({})]));
    expect(gunzipSync(bytes).toString()).toBe(
      'text,boolean,time,decimal,micros,integer,json\na,,,,,,\nb,,,,,,\n,,,,,,\n',
    );
  });

  it('has only a header without rows', async () => {
    expect(gunzipSync(await encoded(batchesOf())).toString()).toBe(`${types.join(',')}\n`);
  });

  it.each([
    ['2026-01-01 09:00:00+00', '2026-01-01 09:00:00'],
    ['2026-01-01 09:00:00.999+00', '2026-01-01 09:00:00'],
    ['10000-01-01 00:00:00.5+00', '10000-01-01 00:00:00'],
    ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00'],
  ])('cuts times to seconds: %s', async (value, text) => {
    expect(await lineOf({ time: value })).toBe(`,,${text.padEnd(19)},,,,`);
  });

  it.each([
    ['9.990000', '9.99'],
    ['0.000000', '0'],
    ['-10.000000', '-10'],
    ['100', '100'],
    ['0.000001', '0.000001'],
  ])('writes decimals without trailing zeros: %s', async (value, text) => {
    expect(await lineOf({ decimal: value })).toBe(`,,,${text},,,`);
  });

  it('writes booleans as words, and quotes JSON', async () => {
    expect(await lineOf({ boolean: 't', json: '{"a":"b"}' })).toBe(',true,,,,,"{""a"":""b""}"');
    expect(await lineOf({ boolean: 'f' })).toBe(',false,,,,,');
  });

  it('tells null from an empty text', async () => {
    expect(await lineOf({ text: '' })).toBe('"",,,,,,');
    expect(await lineOf({})).toBe(',,,,,,');
  });

  it('puts an apostrophe before formulas in texts alone, if spreadsheets are to read it', async () => {
    const values = { text: '=1+1', decimal: '-5.000000' };
    expect(await lineOf(values)).toBe('=1+1,,,-5,,,');
    expect(await lineOf(values, true)).toBe(`'=1+1,,,-5,,,`);
  });

  it('replaces lone surrogates', async () => {
    expect(await lineOf({ text: 'a\ud800b' })).toBe('a\ufffdb,,,,,,');
  });

  it('holds every text so that a reader finds it again', async () => {
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const bytes = await encoded(batchesOf(given.map((text) => row({ text, json: text }))));
        const rows = parse<Record<string, string>>(gunzipSync(bytes), { columns: true });
        expect(rows.map(({ text }) => text)).toEqual(given);
        expect(rows.map(({ json }) => json)).toEqual(given);
      }),
    );
  });

  it('has the same bytes for the same rows, with no time and no name', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => row({ text: `row ${index}` }));
    const [first, second] = [await encoded(batchesOf(many)), await encoded(batchesOf(many))];
    expect(first.equals(second)).toBe(true);
    expect([...first.subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
  });

  it('fails if its rows fail, and stops reading them if its reader stops', async () => {
    async function* failing(): AsyncGenerator<Value[][]> {
      yield await Promise.resolve([row({ text: 'a' })]);
      throw new Error('the database is gone');
    }
    await expect(encoded(failing())).rejects.toThrow('the database is gone');
    let isStopped = false;
    async function* endless(): AsyncGenerator<Value[][]> {
      try {
        for (;;)
          yield await Promise.resolve(
            Array.from({ length: 1000 }, () => row({ text: String(Math.random()) })),
          );
      } finally {
        isStopped = true;
      }
    }
    for await (const part of encodeCsv(endless(), dataset, { isSpreadsheetSafe: false })) {
      if (part.length > 0) break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(true);
  });
});
