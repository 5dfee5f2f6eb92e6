import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** The entry points of the package. */
export const ENTRIES = ['index.ts', 'webhooks.ts'];

/** Settings of the package's sources. */
export function settingsOf(folder) {
  const file = join(folder, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, folder).options;
}

/** Problems of some files of a program, a line each. */
export function problemsOf(program, files) {
  const found = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return found.map(({ file, start, messageText }) => {
    const line = file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return { file: file.fileName, line, message: ts.flattenDiagnosticMessageText(messageText, '\n') };
  });
}

/**
 * Compiles the sources of the package to a folder: declarations with comments, and JavaScript without.
 * @throws Error with the compiler's messages
 */
export function compileClient(folder, target) {
  const sources = join(folder, 'src');
  const options = {
    ...settingsOf(folder),
    // Workers and browsers have no types of Node.js.
    types: [],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: sources,
    outDir: target,
  };
  const program = ts.createProgram(
    ENTRIES.map((entry) => join(sources, entry)),
    options,
  );
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${sources}/`));
  const problems = problemsOf(program, own);
  if (problems.length > 0) {
    throw new Error(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'));
  }
  rmSync(target, { recursive: true, force: true });
  const { diagnostics } = program.emit();
  if (diagnostics.length > 0) throw new Error('the declarations cannot be written');
  const compilerOptions = {
    target: options.target,
    // Of one file alone, the compiler does not see the `type` in package.json.
    module: ts.ModuleKind.ESNext,
    isolatedModules: true,
    removeComments: true,
  };
  for (const { fileName, text } of own) {
    const { outputText } = ts.transpileModule(text, { fileName, compilerOptions });
    const file = join(target, relative(sources, fileName).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
}
