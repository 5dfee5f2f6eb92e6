import fc from 'fast-check';
import { cutText, visibleText } from './visible-text.js';

describe('visibleText', () => {
  it.each([
    ['a\u202eb', 'a\\u202eb'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['null\u0000', 'null\\u0000'],
    ['bell\u0007', 'bell\\u0007'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half\ud83d', 'half\\ud83d'],
    ['joi\u200dner', 'joi\\u200dner'],
    ['filler\u3164', 'filler\\u3164'],
    [`z${'\u0301'.repeat(7)}`, `z${'\u0301'.repeat(5)}\\u0301\\u0301`],
    ['isolate\u2066x\u2069', 'isolate\\u2066x\\u2069'],
  ])('writes %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    'plain',
    'tab\tand\nline',
    'שלום',
    '日本語',
    '👍🏽',
    'e\u0301',
    '👨\u200d👩\u200d👧',
    'می\u200cخواهم',
    'क्\u200dष',
    'שָׁ֖לוֹם',
  ])('leaves %j as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('leaves no override in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});

describe('cutText', () => {
  it('keeps what fits and never cuts a pair in half', () => {
    expect(cutText('short', 5)).toBe('short');
    expect(cutText('longer', 4)).toBe('long…');
    expect(cutText('ab😀cd', 3)).toBe('ab…');
  });
});
