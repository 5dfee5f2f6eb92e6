import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type CsvCell, csvLine, plainCsvLine } from './csv.js';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', 'a', 'ü') }),
);
const cells: fc.Arbitrary<CsvCell> = fc.oneof(
  texts,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
// A line with one empty cell is an empty line, which readers skip.
const rows = fc.array(fc.array(cells, { minLength: 2, maxLength: 5 }), { maxLength: 5 });

const read = (text: string): string[][] =>
  parse(text, { record_delimiter: '\r\n', relax_column_count: true });

describe('lines of CSV', () => {
  it('contains every cell, with an apostrophe before formulas alone', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const expected = given.map((row) =>
          row.map((cell) => {
            const text = String(cell ?? '');
            return typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${text}` : text;
          }),
        );
        expect(read(given.map(csvLine).join(''))).toEqual(expected);
      }),
    );
  });

  it('begins no cell of text as a formula', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [[cell = ''] = []] = read(csvLine([text, 'end']));
        expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it('leaves numbers as they are, also negative ones', () => {
    expect(csvLine([-1.5, 2, true, null, 'a"b'])).toBe('-1.5,2,true,,"a""b"\r\n');
  });
});

describe('lines of CSV for warehouses', () => {
  it('contains every cell as it is', () => {
    const textRows = fc.array(fc.array(texts, { minLength: 2, maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(textRows, (given) => {
        const lines = given.map((cells) => plainCsvLine(cells)).join('');
        expect(parse(lines, { record_delimiter: '\n', relax_column_count: true })).toEqual(given);
      }),
    );
  });

  it('tells null from an empty text', () => {
    expect(plainCsvLine([null, '', '=1', 'a"b', null])).toBe(',"",=1,"a""b",\n');
  });
});
