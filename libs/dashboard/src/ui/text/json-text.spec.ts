import { parseJson, prettyJson, shortJson } from './json-text.js';

describe('JSON as text', () => {
  it('indents it, or returns the text itself', () => {
    expect(prettyJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson(undefined)).toBe('undefined');
    expect(parseJson('{"a":1}')).toEqual({ a: 1 });
    expect(parseJson('<html>')).toBe('<html>');
  });

  it('cuts it at 2 KB in lists', () => {
    expect(shortJson({ a: 'x'.repeat(100_000) })).toHaveLength(2001);
    expect(shortJson({ a: 1 })).toBe('{"a":1}');
  });

  it('formats 1,000 levels', () => {
    const deep = parseJson(`${'['.repeat(1000)}1${']'.repeat(1000)}`);
    expect(shortJson(deep)).toBe(`${'['.repeat(1000)}1${']'.repeat(999)}…`);
    expect(prettyJson(deep)).toContain('1');
    const deeper = parseJson(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(prettyJson(deeper)).toBe('…');
    expect(shortJson(deeper)).toBe('');
  });
});
