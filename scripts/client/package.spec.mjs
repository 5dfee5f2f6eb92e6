import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'packages/node');
const dist = join(folder, 'dist');
const read = (file) => readFileSync(join(folder, file), 'utf8');
const names = JSON.parse(read('vendor-operations.json'));
const about = JSON.parse(read('package.json'));
const run = (file, args, options = {}) =>
  promisify(execFile)(file, args, { cwd: root, ...options, env: { ...process.env, NODE_OPTIONS: '' } });

/** Compiles TypeScript in a project that has installed the package, and returns the errors. */
function problems(project, files) {
  const names = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(project, name), text);
    return join(project, name);
  });
  const program = ts.createProgram(names, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    // No DOM: backends have the types of Node.js.
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.slice(project.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

/** Runs in a process of its own, because the bundler's native code does not know the objects of Jest's. */
const BUNDLE = `
  import { build } from 'vite';
  const [input] = process.argv.slice(1);
  const lib = { entry: input, formats: ['es'] };
  const [{ output }] = await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } });
  process.stdout.write(String(output.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0)));`;

/** Size in bytes of a module with all that it imports, bundled but not minified. */
async function bundledSize(project, text) {
  const input = join(project, 'entry.mjs');
  writeFileSync(input, text);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', BUNDLE, input]);
  return Number(stdout);
}

const exampleCodes = [...read('README.md').matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code]) => code);

describe('the client package', () => {
  let project;

  beforeAll(async () => {
    await run(process.execPath, ['scripts/client.mjs']);
    project = mkdtempSync(join(tmpdir(), 'client-'));
    const [scope] = about.name.split('/');
    mkdirSync(join(project, 'node_modules', scope), { recursive: true });
    symlinkSync(folder, join(project, 'node_modules', about.name));
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('has the version of the server, one dependency and no scripts', () => {
    const server = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(about.version).toBe(server.version);
    expect(about.engines).toEqual(server.engines);
    expect(about.dependencies).toEqual({ standardwebhooks: server.devDependencies.standardwebhooks });
    expect(about.scripts).toBeUndefined();
  });

  it('packs the files of packages/node/packed-files.txt', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
    const [{ files }] = JSON.parse(stdout);
    expect(files.map(({ path }) => path).sort()).toEqual(read('packed-files.txt').trim().split('\n'));
  });

  it('needs at most 400 kB of JavaScript, and at most 30 kB for a call of one function', async () => {
    const files = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.js'));
    const sizes = files.map((file) => readFileSync(join(dist, file)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(400_000);
    const call = `import { createTenure, listProducts } from '${about.name}';
      export const products = (options, path) => listProducts({ client: createTenure(options), path });`;
    const size = await bundledSize(project, call);
    expect(size).toBeGreaterThan(5_000);
    expect(size).toBeLessThanOrEqual(30_000);
  });

  it('imports nothing of Node.js', () => {
    const imported = readdirSync(dist, { recursive: true })
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [...readFileSync(join(dist, file), 'utf8').matchAll(/\bfrom ['"]([^'".][^'"]*)/g)])
      .map(([, name]) => name);
    expect(new Set(imported)).toEqual(new Set(['standardwebhooks']));
  });

  it("compiles the vendor's operations, called as its own client calls them", () => {
    const calls = Object.entries(names).map(([name, route]) => {
      const path = [...route.matchAll(/\{(\w+)\}/g)].map(
        ([, parameter]) => `${parameter}: ${JSON.stringify('x')}`,
      );
      return `export const ${name} = (body: never, query: never) =>
        tenure.${name}({ client, path: { ${path.join(', ')} } as never as Path<typeof tenure.${name}, { ${path
          .map((parameter) => parameter.replace(/: .*/, ': string'))
          .join('; ')} }>, body, query });`;
    });
    const text = `import * as tenure from '${about.name}';
      const client = tenure.createTenure({ baseUrl: 'https://purchases.example.com', apiKey: 'sk_x' });
      type Given<Call> = Call extends (options: infer Options) => unknown ? Options : never;
      type Path<Call, Named> = Given<Call> extends { path: infer Own }
        ? Named extends Own ? Own : { differs: [Named, Own] }
        : undefined;
      ${calls.join('\n')}`;
    expect(calls).toHaveLength(85);
    expect(problems(project, { 'vendor.ts': text })).toEqual([]);
  });

  it('compiles the examples of its README, and would not with a mistake in one', () => {
    const files = exampleCodes.map((code, index) => [`example-${index}.ts`, code]);
    expect(files).toHaveLength(4);
    expect(problems(project, Object.fromEntries(files))).toEqual([]);
    const broken = exampleCodes[0]
      .replace('listProducts({', 'listProduct({')
      .replace('products.items', 'products.rows');
    expect(problems(project, { 'broken.ts': broken }).length).toBeGreaterThan(0);
  });

  it('has its name in the examples', () => {
    for (const code of exampleCodes) expect(code).toContain(`from '${about.name}`);
  });
});
