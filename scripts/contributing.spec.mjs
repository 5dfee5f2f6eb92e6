import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');

/** The TypeScript of the page by the path on its first line; lines for a file that exists go to its end. */
const examples = new Map(
  [...page.matchAll(/^```ts\n\/\/ ([\w./-]+).*\n([^]*?)^```/gm)].map(([, name, code]) => {
    const path = `${root}${name}`;
    return [path, existsSync(path) ? `${readFileSync(path, 'utf8')}\n${code}` : code];
  }),
);

/** Compiles these files within the current tree and returns the errors. */
function problems(files) {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, directoryExists, readFile, getSourceFile } = host;
  const isNewFolder = (name) => [...files.keys()].some((file) => file.startsWith(`${name}/`));
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.directoryExists = (name) => isNewFolder(name) || directoryExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) =>
    files.has(name)
      ? ts.createSourceFile(name, files.get(name), target)
      : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([...files.keys()], options, host);
  const found = [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return found.map(
    ({ file, messageText }) =>
      `${file.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

describe('the examples of CONTRIBUTING.md', () => {
  it('covers all the TypeScript of the page', () => {
    expect(examples.size).toBe(page.match(/^```(ts|typescript)\b/gm).length);
    expect(examples.size).toBeGreaterThanOrEqual(3);
  });

  it('compile against the tree, and would not with a mistake in one', () => {
    const [controller] = examples.keys();
    const broken = `${root}src/catalog/products/broken-usage.controller.ts`;
    const code = examples.get(controller).replace('countActiveSubscriptions', 'countSubscribers');
    expect(problems(new Map([...examples, [broken, code]]))).toEqual([
      expect.stringMatching(
        /^src\/catalog\/products\/broken-usage\.controller\.ts: Property 'countSubscribers' does not exist/,
      ),
    ]);
  });
});
