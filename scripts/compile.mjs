import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = join(root, 'node_modules/vite/bin/vite.js');
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/**
 * Runs a Node.js program in the repository's root, quietly.
 * @throws Error with all that it wrote when it fails
 */
async function run(name, args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${name} failed\n${output}`);
}

/** Compiles each module to a folder next to dist/, which keeps the paths in the source maps right. */
async function compileModules(draft) {
  const swc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  // Otherwise each of a thousand modules has a copy of the helpers for decorators.
  swc.jsc.externalHelpers = true;
  const swcFile = join(draft, '.swcrc');
  const config = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  config.compilerOptions.deleteOutDir = false;
  Object.assign(config.compilerOptions.builder.options, {
    outDir: basename(draft),
    swcrcPath: relative(root, swcFile),
  });
  const configFile = join(draft, 'nest-cli.json');
  writeFileSync(swcFile, JSON.stringify(swc));
  writeFileSync(configFile, JSON.stringify(config));
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  await run('nest build', [nest, 'build', '--config', relative(root, configFile)]);
  for (const file of [swcFile, configFile]) rmSync(file);
}

/** What Node.js starts: the server, the command line and the worker thread. */
export const PROGRAMS = ['src/main.js', 'src/cli/tenure.js', 'libs/stores/apple/receipt.worker.js'];

/** `customers` for an area of src/, `libs-stores` for a library. Other modules are in files of their own. */
function chunkOf(file) {
  if (PROGRAMS.includes(file) || /^src\/(cli|startup)\//.test(file)) return null;
  const [, folder, name] = /^(src|libs)\/([^/]+)\//.exec(file) ?? [];
  return folder === 'libs' ? `libs-${name}` : (name ?? null);
}

/**
 * Replaces the programs by bundles, which share dist/chunks: two thousand modules cost time and memory at every start.
 * Packages stay outside. The modules remain for scripts and tests (docs/adr/021-bundles.md).
 */
async function bundlePrograms(draft) {
  const { rolldown } = await import('rolldown');
  const fileOf = (id) => relative(draft, id).replaceAll('\\', '/');
  const maps = new Map();
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((file) => [file, join(draft, file)])),
    cwd: draft,
    platform: 'node',
    treeshake: false,
    preserveEntrySignatures: 'allow-extension',
    external: (id) => !isAbsolute(id) && !/^(\.|@swc\/helpers\/)/.test(id),
    plugins: [
      {
        name: 'compiled-modules',
        load(id) {
          if (!existsSync(`${id}.map`)) return null;
          maps.set(id, readFileSync(`${id}.map`, 'utf8'));
          const code = readFileSync(id, 'utf8');
          // Files beside a module are found from where the module was compiled to.
          const place = `new URL('../${fileOf(id)}', import.meta.url).href`;
          return code.replaceAll('import.meta.url', place);
        },
        // One other character would double the memory of the whole text.
        renderChunk(code) {
          const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
          return { code: code.replace(/[^\0-\xff]/g, escape), map: null };
        },
      },
    ],
  });
  const groups = [{ name: (id) => chunkOf(fileOf(id)), debugName: 'areas and libraries' }];
  const { output } = await bundle.write({
    dir: draft,
    entryFileNames: '[name]',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { includeDependenciesRecursively: false, groups },
    // Names of classes are names of tables, schemas and providers.
    keepNames: true,
    minify: false,
    comments: false,
    sourcemap: true,
  });
  await bundle.close();
  await mapToSources(draft, output, maps);
}

/** Rolldown's maps lead to the compiled modules. Its own way on to the sources is wrong for classes with decorators. */
async function mapToSources(draft, output, maps) {
  const { default: remapping } = await import('@jridgewell/remapping');
  for (const { fileName } of output.filter(({ fileName }) => fileName.endsWith('.map'))) {
    const file = join(draft, fileName);
    const mapOf = (path, { depth }) => (depth === 1 ? (maps.get(join(dirname(file), path)) ?? null) : null);
    const map = remapping(JSON.parse(readFileSync(file, 'utf8')), mapOf, { excludeContent: true });
    writeFileSync(file, map.toString());
  }
}

export async function compileServer(draft) {
  await compileModules(draft);
  await bundlePrograms(draft);
}

const compressions = [
  ['.gz', (content) => gzipped(content, { level: 9 })],
  ['.br', (content) => brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
];

/** The server sends these copies, so no request costs it a compression. */
async function compress(folder) {
  await Promise.all(
    readdirSync(folder).flatMap((name) => {
      const content = readFileSync(join(folder, name));
      return compressions.map(async ([ending, compressed]) =>
        writeFileSync(join(folder, name + ending), await compressed(content)),
      );
    }),
  );
}

/**
 * Bundles libs/dashboard into a folder, which it empties first.
 * @throws Error with Vite's output when the sources do not compile
 */
export async function buildDashboard(folder) {
  const config = join(root, 'libs/dashboard/vite.config.ts');
  // A test runner that builds sets NODE_ENV=test, and would get the development build of the libraries.
  const env = { NODE_ENV: 'production' };
  await run('vite build', [vite, 'build', '--config', config, '--outDir', folder, '--emptyOutDir'], env);
  await compress(join(folder, 'assets'));
}
