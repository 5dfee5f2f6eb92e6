import { Linter } from 'eslint';
import { nativeEnglish } from './native-english.mjs';

function problems(code) {
  const config = {
    plugins: { tenure: { rules: { 'native-english': nativeEnglish } } },
    rules: { 'tenure/native-english': 'error' },
  };
  return new Linter().verify(code, config).map(({ message }) => message);
}

describe('the rule for the language of comments and texts', () => {
  it.each([
    '// Whose values the audit log shows.',
    '/** What moving a project brings. */',
    '/**\n * Of a call that a server which is down did not take.\n */',
    '// The rest goes on as before.',
    "it('tells what nobody knows', run);",
    "it('of every grant', run);",
    "it.each([1])('are limited to %i', run);",
    'it.each`a`(`the row ${a}`, run);',
    'const text = `Make somebody else an ${role}.`;',
  ])('rejects %s', (code) => {
    expect(problems(code)).toHaveLength(1);
  });

  it.each([
    '// Values that the audit log shows.',
    '/** What arrives first, wins. */',
    '// Of two columns with the same name, the first wins.',
    '// When the attempt started.',
    "run('nobody');",
    "const sql = 'SELECT a FROM b';",
    "it('expires grants created during deletion', run);",
    "it('one', run);",
    "pattern.test('the text of a page');",
    "describe('the pages of a list', run);",
  ])('accepts %s', (code) => {
    expect(problems(code)).toEqual([]);
  });
});
