import { readMetadata } from './metadata.js';

describe('typed metadata', () => {
  it('returns an object or nothing', () => {
    expect(readMetadata(' {"a": {"b": [1]}} ')).toEqual({ value: { a: { b: [1] } }, problem: null });
    expect(readMetadata('  ')).toEqual({ value: null, problem: null });
  });

  it.each(['[1]', 'null', '"a"', '1', '{"a": 1', '{a: 1}', JSON.stringify({ a: 'x'.repeat(4000) })])(
    'rejects %s',
    (typed) => {
      expect(readMetadata(typed).problem).toEqual(expect.stringMatching(/./));
    },
  );
});
