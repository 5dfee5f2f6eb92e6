import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { shellQuoted } from './curl.js';

describe('quoting for a shell', () => {
  it('gives the shell the very text, whatever is in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 50 }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
        const script = `printf '%s\\n' ${texts.map(shellQuoted).join(' ')}`;
        expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`${texts.join('\n')}\n`);
      }),
      { numRuns: 20, examples: [[["it's", '$(id)', '`id`', '\\', '"', "''", '\n']]] },
    );
  });
});
