import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compiles src/, libs/ and ormconfig.ts to dist/ with `nest build`, unless dist/ is up to date.
 * `node scripts/build.mjs --force` compiles anyway.
 */
const root = new URL('..', import.meta.url).pathname;
const stampFile = join(root, 'dist', '.build-stamp');

function sources() {
  const files = ['package-lock.json', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'ormconfig.ts'];
  for (const folder of ['src', 'libs']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name).slice(root.length));
    }
  }
  return files.filter((file) => !file.endsWith('.spec.ts')).sort();
}

function stamp() {
  const hash = createHash('sha256').update(process.version);
  for (const file of sources())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Builds when needed; true when it did. */
export function build({ force = false } = {}) {
  // A container image holds no sources: what is there is what runs.
  if (!existsSync(join(root, 'src'))) return false;
  const wanted = stamp();
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return false;
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const result = spawnSync(process.execPath, [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}${result.stderr}\n`);
    process.exit(result.status ?? 1);
  }
  writeFileSync(stampFile, wanted);
  return true;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const done = build({ force: process.argv.includes('--force') });
  process.stdout.write(done ? 'built dist/\n' : 'dist/ is up to date\n');
}
