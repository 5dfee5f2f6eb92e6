import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preflightFailure } from './preflight.mjs';

/**
 * Compiles src/, libs/ and ormconfig.ts to dist/ with `nest build`, unless dist/ is up to date.
 * `node scripts/build.mjs --force` compiles anyway.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const STAMP = '.build-stamp';

function sources() {
  const files = ['package-lock.json', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'ormconfig.ts'];
  for (const folder of ['src', 'libs']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(root.length));
    }
  }
  return files.filter((file) => !/\.(spec\.ts|md)$/.test(file)).sort();
}

function stamp() {
  const hash = createHash('sha256').update(process.version);
  for (const file of sources()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Drafts of builds that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(root)) {
    const pid = /^dist\.(\d+)(\.old)?$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

/** Compiles to a folder next to dist/, which keeps the paths in the source maps right. */
function compileTo(draft) {
  const config = JSON.parse(readFileSync(join(root, 'nest-cli.json'), 'utf8'));
  config.compilerOptions.deleteOutDir = false;
  config.compilerOptions.builder.options.outDir = basename(draft);
  const configFile = join(draft, 'nest-cli.json');
  writeFileSync(configFile, JSON.stringify(config));
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const result = spawnSync(process.execPath, [nest, 'build', '--config', relative(root, configFile)], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`nest build failed\n${result.stdout}${result.stderr}`);
  rmSync(configFile);
}

/** Replaces dist/ with the draft in one step, so that readers always see a complete build, old or new. */
function replaceDist(draft) {
  const dist = join(root, 'dist');
  const old = `${draft}.old`;
  for (;;) {
    try {
      renameSync(dist, old);
    } catch {
      // There is none, or the file system (an image's lower layer) cannot move it.
      rmSync(dist, { recursive: true, force: true });
    }
    try {
      renameSync(draft, dist);
      return;
    } catch (error) {
      // Another build put its own there in between.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

/**
 * Builds when needed; true when it did.
 * @throws Error with the compiler's output when the sources do not compile; dist/ then stays as it was
 */
export function build({ force = false } = {}) {
  // A container image holds no sources: what is there is what runs.
  if (!existsSync(join(root, 'src'))) return false;
  const wanted = stamp();
  const stampFile = join(root, 'dist', STAMP);
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return false;
  removeLeftovers();
  const draft = join(root, `dist.${process.pid}`);
  mkdirSync(draft);
  try {
    compileTo(draft);
    writeFileSync(join(draft, STAMP), wanted);
    replaceDist(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return true;
}

/** Builds, or ends this process with the compiler's message. */
export function buildOrExit(options) {
  const failure = preflightFailure(root);
  if (failure !== null) {
    process.stderr.write(`${failure}\n`);
    process.exit(1);
  }
  try {
    return build(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const done = buildOrExit({ force: process.argv.includes('--force') });
  process.stdout.write(done ? 'built dist/\n' : 'dist/ is up to date\n');
}
