import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { run } from './run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = join(root, 'node_modules/vite/bin/vite.js');
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

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
