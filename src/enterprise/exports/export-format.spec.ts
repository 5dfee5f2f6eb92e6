import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type ExportContent, exportText, type ExportRow } from './export-format.js';

const head = {
  kind: 'audit_logs',
  organization: { id: 'org_1', name: 'Acme' },
  generatedAt: new Date(1_767_225_600_000),
  startTime: null,
  endTime: new Date(1_767_225_600_123),
};

function contentOf(columns: readonly string[], batches: readonly ExportRow[][]): ExportContent {
  return {
    head,
    columns,
    batches: (async function* () {
      for (const batch of batches) yield await Promise.resolve(batch);
    })(),
  };
}

async function textOf(format: 'csv' | 'json', columns: readonly string[], ...batches: ExportRow[][]) {
  let text = '';
  for await (const part of exportText[format](contentOf(columns, batches))) text += part;
  return text;
}

describe('a CSV export', () => {
  it('has a header, lines that end in CRLF and no byte order mark', async () => {
    expect(await textOf('csv', ['a', 'b'], [{ a: 'x', b: 1 }], [{ b: null, a: true }])).toBe(
      'a,b\r\nx,1\r\ntrue,\r\n',
    );
    expect(await textOf('csv', ['a', 'b'])).toBe('a,b\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\r', '"\'\r"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=1', 'a=1'],
    ['', ''],
    ['Ω', 'Ω'],
  ])('writes %j as %s', async (cell, expected) => {
    expect(await textOf('csv', ['cell'], [{ cell }])).toBe(`cell\r\n${expected}\r\n`);
  });

  it('survives a CSV parser, whatever the cells hold', async () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab=+-@\t\r\n",; \'é') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: cell, b: cell }), { minLength: 1 }), async (rows) => {
        const read: string[][] = parse(await textOf('csv', ['a', 'b'], rows), { recordDelimiter: '\r\n' });
        const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
        expect(read.slice(1)).toEqual(rows.map(({ a, b }) => [guarded(a), guarded(b)]));
      }),
    );
  });
});

describe('a JSON export', () => {
  it('has the keys of the object and of its rows in a fixed order', async () => {
    expect(await textOf('json', ['a', 'b'], [{ b: 1, a: '=x' }], [], [{ a: null, b: false }])).toBe(
      '{"object":"compliance_export","kind":"audit_logs","organization":{"id":"org_1","name":"Acme"},' +
        '"generated_at":1767225600000,"start_time":null,"end_time":1767225600123,"rows":[\n' +
        '{"a":"=x","b":1},\n{"a":null,"b":false}\n]}\n',
    );
  });

  it('returns valid JSON without rows, too', async () => {
    expect(JSON.parse(await textOf('json', ['a']))).toMatchObject({ kind: 'audit_logs', rows: [] });
  });
});
