import fc from 'fast-check';
import { day, list, oneOf, parseSearch, search, stringifySearch, text } from './search.js';

describe('search parameters', () => {
  it.each(['12345', '1e5', 'true', 'null', '{"a":1}', 'a&b=c', 'ü/%2F', '$RCAnonymousID:1', '..', '😀'])(
    'keeps %s as the text it is',
    (id) => {
      expect(parseSearch(stringifySearch({ id }))).toEqual({ id });
    },
  );

  it('returns them as they were, whatever they are', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }).filter((item) => item.isWellFormed()),
      fc.array(
        fc.string({ minLength: 1 }).filter((item) => item.isWellFormed()),
        { minLength: 2, maxLength: 4 },
      ),
    );
    const names = fc.string({ minLength: 1, maxLength: 5 }).map((name) => `n${name}`);
    fc.assert(
      fc.property(fc.dictionary(names, value), (given) => {
        expect(parseSearch(stringifySearch(given))).toEqual({ ...given });
      }),
    );
  });

  it('leaves out unset ones', () => {
    expect(stringifySearch({ a: undefined, b: '', c: [], d: null })).toBe('');
  });

  it('passes them to the parsers of a route', () => {
    const parse = search({ q: text(), status: oneOf('failed', 'pending'), from: day(), types: list() });
    expect(parse({ q: 'a', status: 'failed', from: '2026-02-28', types: 'X', other: '1' })).toEqual({
      q: 'a',
      status: 'failed',
      from: '2026-02-28',
      types: ['X'],
    });
    expect(parse({ q: ['a', 'b'], status: 'x', from: '2026-02-30', types: '' })).toEqual({});
  });
});
