import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
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

/** Compiles to a folder next to dist/, which keeps the paths in the source maps right. */
export async function compileServer(draft) {
  const config = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  config.compilerOptions.deleteOutDir = false;
  config.compilerOptions.builder.options.outDir = basename(draft);
  const configFile = join(draft, 'nest-cli.json');
  writeFileSync(configFile, JSON.stringify(config));
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  await run('nest build', [nest, 'build', '--config', relative(root, configFile)]);
  rmSync(configFile);
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
