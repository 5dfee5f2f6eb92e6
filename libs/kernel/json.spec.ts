import fc from 'fast-check';
import { canonicalJson, isSameJson } from './json.js';

/** JSON values with undefined fields, drawn from only a few leaves so that equal values occur. */
const { value } = fc.letrec((tie) => ({
  leaf: fc.constantFrom(undefined, null, 0, -0, 1, 'a', '', true, Number.NaN),
  value: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('value'), { maxKeys: 2 }),
  ),
}));

describe('JSON equality', () => {
  it('means the same canonical text', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(isSameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('ignores the order of fields', () => {
    expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined })).toBe(true);
  });
});
