import { readdirSync, readFileSync } from 'node:fs';
import { problemOf } from './native-english.mjs';

const FOLDERS = ['.github', 'bench', 'docs', 'libs', 'packages', 'src'];

const documents = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`)),
].filter((file) => file.endsWith('.md'));

/** Entries of earlier releases stay as they were published. */
function currentText(file) {
  const text = readFileSync(file, 'utf8');
  return file === 'CHANGELOG.md' ? text.split(/^## (?!Unreleased)/m, 2).join('## ') : text;
}

/** Returns the lines with code blocks and link targets left empty. */
function proseLines(text) {
  let isCode = false;
  return text.split('\n').map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line.replace(/\]\([^)]*\)/g, ']');
  });
}

const problems = documents.flatMap((file) =>
  proseLines(currentText(file)).flatMap((line, index) => {
    const problem = problemOf(line);
    return problem ? [`${file}:${index + 1}: ${problem}`] : [];
  }),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
