import fc from 'fast-check';
import { bodyProblem } from './body-shape.js';

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`);

describe('the shape of a body', () => {
  it('accepts any value without reserved names, wide or deep', () => {
    const value = fc.jsonValue({ maxDepth: 8, noUnicodeString: false });
    fc.assert(
      fc.property(value, (body) => {
        const text = JSON.stringify(body);
        fc.pre(!/"(__proto__|constructor)":/.test(text));
        expect(bodyProblem(JSON.parse(text))).toBeNull();
      }),
    );
    expect(bodyProblem(nested(32))).toBeNull();
  });

  it('refuses a reserved name anywhere, naming it', () => {
    for (const name of ['__proto__', 'constructor']) {
      for (const text of [`{"${name}":1}`, `[{"a":[{"${name}":{}}]}]`]) {
        expect(bodyProblem(JSON.parse(text))?.message).toMatch(new RegExp(`^${name} is not`));
      }
    }
    expect(bodyProblem({ a: 'constructor' })).toBeNull();
  });
});
