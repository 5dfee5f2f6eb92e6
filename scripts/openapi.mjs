import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breakingChanges } from './openapi/breaking-changes.mjs';
import { makeDocument } from './openapi/document.mjs';
import { documentProblems } from './openapi/validate.mjs';

/**
 * Writes docs/openapi.json from the sources. With `--check` writes nothing and fails when the file is out of date,
 * the document is not valid, or it breaks clients of the version in git's HEAD.
 */
const FILE = 'docs/openapi.json';
const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL(`../${FILE}`, import.meta.url));

/** The document as it was committed; null in a first commit or outside a repository. */
function committed() {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${FILE}`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  return status === 0 ? JSON.parse(stdout) : null;
}

function report(title, lines) {
  if (lines.length === 0) return;
  process.stderr.write(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

const document = await makeDocument();
const text = `${JSON.stringify(document, null, 2)}\n`;
const check = process.argv.includes('--check');
const problems = await documentProblems(document);
const before = committed();
const breaks = before ? breakingChanges(before, document) : [];
const outdated = check && !(existsSync(file) && readFileSync(file, 'utf8') === text);
if (!check) writeFileSync(file, text);

report('The OpenAPI document is not valid:', problems);
report(
  `Changes that break clients (if they are meant, name them in CHANGELOG.md and commit ${FILE}):`,
  breaks,
);
if (outdated) report(`${FILE} is out of date: npm run openapi`, ['']);
if (problems.length > 0 || (check && (breaks.length > 0 || outdated))) process.exitCode = 1;
