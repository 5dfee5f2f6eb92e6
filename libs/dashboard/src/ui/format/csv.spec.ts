import fc from 'fast-check';
import { csv } from './csv.js';

/** Parses CSV according to RFC 4180. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  for (let found = cells.exec(text); found; found = cells.exec(text)) {
    const value = found[1]!;
    rows.at(-1)!.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (found[2] === '\r\n') rows.push([]);
    if (cells.lastIndex >= text.length) break;
  }
  return rows.slice(0, -1);
}

describe('csv', () => {
  it('starts with a byte order mark and ends every line', () => {
    expect(csv(['a', 'b'], [[1, 'x']])).toBe('\ufeffa,b\r\n1,x\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1'])('makes %j text', (value) => {
    expect(parse(csv(['a'], [[value]]).slice(1))[1]).toEqual([`'${value}`]);
  });

  it('leaves negative numbers numbers, and nothing for null', () => {
    expect(csv(['a', 'b'], [[-9.99, null]])).toBe('\ufeffa,b\r\n-9.99,\r\n');
  });

  it('gives back every text, defused where it must be', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', '=', '-', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const read = parse(csv(['x', 'y'], rows).slice(1)).slice(1);
        expect(read).toEqual(
          rows.map((row) => row.map((value) => (/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value))),
        );
        expect(read.flat().every((value) => !/^[=+\-@\t\r\n]/.test(value))).toBe(true);
      }),
    );
  });
});
