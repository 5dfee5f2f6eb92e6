import fc from 'fast-check';
import { MAX_KEYS, MAX_VALUES, scanJson } from './json-scan.js';

const scan = (text: string): string | null => scanJson(Buffer.from(text));

describe('the scan of JSON before it is parsed', () => {
  it('finds the same depth as the parsed value has, whatever its strings hold', () => {
    const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', ',', 'é', 'x') });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        tricky,
        fc.array(tie('value')),
        fc.dictionary(tricky, tie('value')),
      ),
    }));
    const levels = fc.integer({ min: 0, max: 70 });
    fc.assert(
      fc.property(value, levels, (inner, count) => {
        const text = '[[],'.repeat(count) + JSON.stringify(inner) + ']'.repeat(count);
        expect(scan(text) === null).toBe(depthOf(JSON.parse(text)) <= 64);
      }),
    );
  });

  it('stops at the first level or value too many', () => {
    expect(scan('['.repeat(64))).toBeNull();
    expect(scan('{"a":'.repeat(65))).toMatch(/deeper than 64/);
    expect(scan(`[${'1,'.repeat(MAX_VALUES - 2)}1]`)).toBeNull();
    expect(scan(`[${'1,'.repeat(MAX_VALUES - 1)}1]`)).toMatch(/more than 20000 values/);
    expect(scan('"a":'.repeat(MAX_KEYS))).toBeNull();
    expect(scan('"a":'.repeat(MAX_KEYS + 1))).toMatch(/more than 3000 names/);
  });

  it('takes what is no JSON as it comes', () => {
    for (const text of ['', '"', '"\\', ']]]', '\\"[[', 'null']) expect(scan(text)).toBeNull();
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
