import { gzipSync } from 'node:zlib';
import { csvRows, isProblem, separatorOf } from './csv-file.js';
import { TestFiles } from '../testing/test-files.js';
import { checkFile } from './text-file.js';

describe('CSV files', () => {
  const files = new TestFiles();
  beforeAll(() => files.open());
  afterAll(() => files.close());

  async function read(content: string | Uint8Array, requires: string[][] = []) {
    const rows = [];
    for await (const row of csvRows(await files.write(content), { requires })) {
      rows.push(isProblem(row) ? row : { line: row.line, ...Object.fromEntries(row.columns) });
    }
    return rows;
  }

  it.each([
    ['comma', 'a,b\n1,2\n'],
    ['semicolon', 'a;b\n1;2\n'],
    ['tab', 'a\tb\n1\t2\n'],
    ['no line end after the last row', 'a,b\n1,2'],
    ['Windows line ends', 'a,b\r\n1,2\r\n'],
    ['byte order mark', '\ufeffa,b\n1,2\n'],
    ['quotes', '"a","b"\n"1","2"\n'],
    ['names in capitals with spaces', ' A , B\n1,2\n'],
    ['empty lines', 'a,b\n\n1,2\n\n'],
  ])('reads %s by column name', async (_, content) => {
    const rows = await read(content);
    expect(rows.map((row) => ({ ...row, line: 0 }))).toEqual([{ line: 0, a: '1', b: '2' }]);
  });

  it('keeps separators, quotes and line ends inside quotes', async () => {
    expect(await read('a,b\n"1,""x""\nnext","=2+3"\n')).toEqual([{ line: 3, a: '1,"x"\nnext', b: '=2+3' }]);
  });

  it('unpacks them if they are compressed, whatever their name', async () => {
    expect(await read(gzipSync('\ufeffa,b\n1,ü😀\n'))).toEqual([{ line: 2, a: '1', b: 'ü😀' }]);
  });

  it('returns no value where a field is empty or says null', async () => {
    expect(await read('a,b,c\n,null,NULL\n')).toEqual([{ line: 2 }]);
  });

  it('reports rows whose fields may have the wrong names, and continues', async () => {
    expect(await read('a,b\n1\n1,2,3\n4,5\n')).toEqual([
      { line: 2, problem: 'has 1 fields, but the header has 2' },
      { line: 3, problem: 'has 3 fields, but the header has 2' },
      { line: 4, a: '4', b: '5' },
    ]);
  });

  it.each([
    ['', 'is empty: it has no header row'],
    ['x,y\n1,2\n', 'lacks a column: a or b. Its header row has: x, y'],
    ['a,b\n"1,2\n', 'is not valid CSV'],
    [Buffer.from('a,b\n1,\xff\xfe\n', 'latin1'), 'is not encoded in UTF-8'],
    [gzipSync('a,b\n1,2\n').subarray(0, 20), 'to its end'],
    ['PAR1....', 'is a Parquet file. Convert it to CSV first'],
    [gzipSync('PAR1....'), 'is a Parquet file. Convert it to CSV first'],
    ['PK\u0003\u0004....', 'is a ZIP archive. Unpack it first'],
    [Buffer.from('\ufeffa,b', 'utf16le'), 'is encoded in UTF-16. Save it as UTF-8'],
  ])('explains why a file cannot be read (%#)', async (content, message) => {
    await expect(read(content, [['a', 'b']])).rejects.toThrow(message);
  });

  it('refuses missing files before anything is read', async () => {
    await expect(checkFile(`${files.path}/missing`)).rejects.toThrow(/Cannot read .*missing: ENOENT/);
  });

  it('detects the separator that occurs most often in the header, outside quotes', () => {
    expect(separatorOf('"a;b;c",d,e')).toBe(',');
    expect(separatorOf('one')).toBe(',');
  });
});
