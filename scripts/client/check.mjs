import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { generateTo, packageFolder } from './build.mjs';
import { problemsOf, settingsOf } from './compile.mjs';
import { readTree } from './generate.mjs';

const CALLS = join(packageFolder, 'test/released-calls.ts');
const CHANGELOG = fileURLToPath(new URL('../../CHANGELOG.md', import.meta.url));

/** Files in which two trees differ. */
export function differences(a, b) {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** Generates again, which must give the same files. */
async function generationProblems() {
  const again = mkdtempSync(join(packageFolder, 'src/.generated-'));
  try {
    await generateTo(again);
    const changed = differences(readTree(join(packageFolder, 'src/generated')), readTree(again));
    return changed.map((name) => `packages/node/src/generated/${name} differs when it is generated again`);
  } finally {
    rmSync(again, { recursive: true, force: true });
  }
}

/** The newest entry of the changelog: of the coming release, or of the current one. */
export function newestEntry(changelog) {
  return changelog.split(/^## /m)[1] ?? '';
}

/** Operation that the exported function around a line calls: `listApps` of `runListApps`. */
function callAt(source, line) {
  const found = source.statements.find(
    (statement) =>
      ts.isFunctionDeclaration(statement) &&
      source.getLineAndCharacterOfPosition(statement.getStart()).line + 1 <= line &&
      line <= source.getLineAndCharacterOfPosition(statement.getEnd()).line + 1,
  );
  return found?.name?.text.replace(/^run(.)/, (_, first) => first.toLowerCase()) ?? null;
}

/**
 * Compiles calls that the last release offered. One that no longer compiles is a problem unless the changelog names its
 * operation.
 * @param text replaces the file's, for tests
 */
export function releasedCallsProblems(changelog, text = readFileSync(CALLS, 'utf8')) {
  const options = settingsOf(packageFolder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, target, ...rest) =>
    name === CALLS ? ts.createSourceFile(name, text, target, true) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([CALLS], options, host);
  const source = program.getSourceFile(CALLS);
  const entry = newestEntry(changelog);
  return problemsOf(program, [source]).flatMap(({ line, message }) => {
    const call = callAt(source, line);
    if (call !== null && entry.includes(`\`${call}\``)) return [];
    return [`released call ${call ?? `in line ${line}`}: ${message.split('\n')[0]}`];
  });
}

export async function clientProblems() {
  return [
    ...(await generationProblems()),
    ...releasedCallsProblems(readFileSync(CHANGELOG, 'utf8')).map(
      (problem) => `${problem} (if the change is meant, name the call in CHANGELOG.md)`,
    ),
  ];
}
