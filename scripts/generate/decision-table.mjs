import { readdirSync, readFileSync } from 'node:fs';

const ROWS = 156;
/** Each row up to this one has a test. */
const TESTED_ROWS = 100;
const root = new URL('../..', import.meta.url);
const folders = ['libs/engine/decision-table', 'test/e2e'];

/** `row 7: what it does`, in any quotes, as the name of a test; `row 7a` is a case that was added beside row 7. */
const NAME = /(['"`])row (\d+)([a-z]?): ((?:(?!\1).)+)\1\s*,/g;

function testsOf(name) {
  const source = readFileSync(new URL(name, root), 'utf8');
  return [...source.matchAll(NAME)].map(([, , row, beside, what]) => ({
    row: Number(row),
    beside,
    what,
    name,
  }));
}

function findTests() {
  const tests = folders
    .flatMap((folder) => readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith('spec.ts'))
    .flatMap(testsOf)
    .toSorted((a, b) => a.row - b.row || a.beside.localeCompare(b.beside));
  const missing = Array.from({ length: TESTED_ROWS }, (_, index) => index + 1).filter(
    (row) => !tests.some((test) => test.row === row),
  );
  if (missing.length > 0) throw new Error(`no test is named for row ${missing.join(', ')}`);
  const unknown = tests.filter(({ row }) => row > ROWS);
  if (unknown.length > 0) throw new Error(`there is no row ${unknown.map(({ row }) => row).join(', ')}`);
  return tests;
}

/**
 * The rows of the engine's decision table with the tests that pin them, from the names of the tests. Rows that depend on
 * more than the engine (who owns a purchase, unknown purchases) are pinned end to end.
 */
export function generate() {
  const lines = findTests().map(({ row, beside, what, name }) => {
    const shown = name.replace(`${folders[0]}/`, '');
    return `| ${row}${beside} | ${what.replaceAll('|', '\\|')} | ${shown} |`;
  });
  const text = `# Rows of the decision table

Generated from test names by \`npm run docs:decision-table\`. \`%s\` and \`%i\` are the cases of a test.

| Row | Test | File |
| --- | ---- | ---- |
${lines.join('\n')}
`;
  return { 'libs/engine/decision-table/README.md': text };
}
