import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const packageFolder = join(root, 'packages/node');
const generated = join(packageFolder, 'src/generated');
const dist = join(packageFolder, 'dist');
const DOCUMENT = join(root, 'docs/openapi.json');
const NAMES = join(packageFolder, 'vendor-operations.json');
/** Ignored by git, and outside the packed folder. */
const LOCK = join(packageFolder, '.build-lock');
const STAMP = join(packageFolder, '.build-stamp');
const POLL_MS = 200;

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const filesIn = (folder, isSource) =>
  readdirSync(folder)
    .filter(isSource)
    .sort()
    .map((name) => join(folder, name));

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** What the generated files depend on, and what the compiled ones depend on besides. */
function stampsOf() {
  const scripts = filesIn(join(root, 'scripts/client'), (name) => !name.endsWith('.spec.mjs'));
  const sources = filesIn(
    join(packageFolder, 'src'),
    (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
  );
  const inputs = [DOCUMENT, NAMES, join(root, 'package.json'), join(root, 'package-lock.json'), ...scripts];
  return {
    generated: hashOf(inputs),
    compiled: hashOf([...inputs, ...sources, join(packageFolder, 'tsconfig.json')]),
  };
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Processes that test the client beside each other build it once. */
async function withLock(work) {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = existsSync(LOCK) ? Number(readFileSync(LOCK, 'utf8')) : 0;
      if (owner > 0 && !isAlive(owner)) rmSync(LOCK, { force: true });
      else await pause(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** Generates the client's operations to a folder. */
export async function generateTo(folder) {
  const { generateClient } = await import('./generate.mjs');
  await generateClient({
    document: readJson(DOCUMENT),
    names: readJson(NAMES),
    version: readJson(join(root, 'package.json')).version,
    folder,
  });
}

async function regenerate() {
  const draft = mkdtempSync(join(packageFolder, 'src/.generated-'));
  try {
    await generateTo(draft);
    rmSync(generated, { recursive: true, force: true });
    renameSync(draft, generated);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Writes packages/node/src/generated and packages/node/dist if their sources changed. Returns whether it did.
 * @throws Error with the messages of the generator or the compiler
 */
export function buildClient() {
  return withLock(async () => {
    const known = existsSync(STAMP) ? readJson(STAMP) : {};
    const stamps = stampsOf();
    if (known.generated !== stamps.generated || !existsSync(generated)) await regenerate();
    else if (known.compiled === stamps.compiled && existsSync(dist)) return false;
    const { compileClient } = await import('./compile.mjs');
    writeFileSync(STAMP, JSON.stringify({ generated: stamps.generated }));
    compileClient(packageFolder, dist);
    copyFileSync(join(root, 'LICENSE'), join(packageFolder, 'LICENSE'));
    writeFileSync(STAMP, JSON.stringify(stamps));
    return true;
  });
}
