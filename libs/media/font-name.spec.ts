import fc from 'fast-check';
import { fileTypeOf } from './file-type.js';
import { postScriptNameOf } from './font-name.js';
import { font } from '../../test/support/fonts.js';

describe('the PostScript name of a font', () => {
  it.each([
    ['of Windows', [{ platform: 3, id: 6, text: 'Inter-SemiBold' }]],
    ['of the Macintosh', [{ platform: 1, id: 6, text: 'Inter-SemiBold' }]],
    [
      'after other names and one that is not valid',
      [
        { platform: 3, id: 1, text: 'Inter' },
        { platform: 1, id: 6, text: 'Inter (bold)' },
        { platform: 3, id: 6, text: 'Inter-SemiBold' },
      ],
    ],
  ])('returns the one %s', (_, names) => {
    expect(postScriptNameOf(font(names))).toBe('Inter-SemiBold');
    expect(fileTypeOf(font(names))).toBe('ttf');
    expect(fileTypeOf(font(names, 'OTTO'))).toBe('otf');
  });

  it.each([
    ['without a name', font([{ platform: 3, id: 1, text: 'Inter' }])],
    ['with a name of two words', font([{ platform: 3, id: 6, text: 'Two Words' }])],
    ['with an empty name', font([{ platform: 3, id: 6, text: '' }])],
    ['that is cut off', font([{ platform: 3, id: 6, text: 'Inter' }]).subarray(0, 40)],
    ['of a signature alone', Buffer.from([0, 1, 0, 0])],
  ])('returns none for a font %s', (_, bytes) => {
    expect(postScriptNameOf(bytes)).toBeNull();
  });

  it('throws for no bytes whatever', () => {
    const start = fc.constant(font([{ platform: 3, id: 6, text: 'Inter' }]));
    const changed = fc
      .tuple(start, fc.array(fc.tuple(fc.nat(63), fc.nat(255)), { maxLength: 6 }))
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy;
      });
    fc.assert(
      fc.property(changed, (bytes) => {
        const name = postScriptNameOf(bytes);
        expect(name === null || /^[!-~]{1,63}$/.test(name)).toBe(true);
      }),
    );
  });
});
