import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDashboard, compileServer } from './compile.mjs';
import { drawPaywallIcons, hasIconSources } from './paywall-icons.mjs';
import { preflightFailure } from './preflight.mjs';

/**
 * Builds dist/: the server (`nest build` of src/, libs/ and ormconfig.ts), the dashboard (`vite build` of
 * libs/dashboard, in dist/dashboard) and the icons of paywalls (dist/paywall-icons), each only if its sources changed.
 * `node scripts/build.mjs --force` builds all.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const DASHBOARD = 'libs/dashboard/';

const paywallIcons = {
  folder: 'paywall-icons',
  files: ['package-lock.json', 'scripts/paywall-icons.mjs', 'libs/paywalls/icons/icon-names.json'],
  folders: [],
  isSource: () => true,
  build: drawPaywallIcons,
};

const parts = [
  {
    folder: '.',
    files: ['package-lock.json', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'ormconfig.ts'],
    folders: ['src', 'libs'],
    isSource: (file) => !file.startsWith(DASHBOARD),
    build: compileServer,
  },
  {
    folder: 'dashboard',
    files: [
      'package-lock.json',
      'docs/openapi.json',
      'scripts/compile.mjs',
      'libs/paywalls/wire/period-texts.ts',
    ],
    folders: [DASHBOARD],
    // Types are erased; an absent schema.d.ts builds the same.
    isSource: (file) => !file.endsWith('.d.ts'),
    build: buildDashboard,
  },
  // After an upgrade without `npm ci`, everything but the icons can be built.
  ...(hasIconSources() ? [paywallIcons] : []),
];

function sourcesOf({ files, folders, isSource }) {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return [...files, ...inFolders].filter((file) => isSource(file) && !/\.(spec\.ts|md)$/.test(file)).sort();
}

function stampOf(part) {
  const hash = createHash('sha256').update(process.version);
  for (const file of sourcesOf(part)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

const stampFile = (base, { folder }) => join(base, folder, '.build-stamp');

function isStamped(base, part) {
  const file = stampFile(base, part);
  return existsSync(file) && readFileSync(file, 'utf8') === part.stamp;
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

/** Takes an unchanged part over from dist/. Returns false if another build replaced it meanwhile. */
function carryOver(part, draft) {
  const from = join(dist, part.folder);
  const others = parts.filter((other) => other !== part).map(({ folder }) => join(dist, folder));
  try {
    const filter = (source) => source === from || !others.includes(source);
    cpSync(from, join(draft, part.folder), { recursive: true, preserveTimestamps: true, filter });
    return isStamped(draft, part);
  } catch {
    return false;
  }
}

async function fill(part, draft, force) {
  if (!force && isStamped(dist, part) && carryOver(part, draft)) return;
  const folder = join(draft, part.folder);
  mkdirSync(folder, { recursive: true });
  await part.build(folder);
  writeFileSync(stampFile(draft, part), part.stamp);
}

/** Replaces dist/ with the draft in one step, so that readers always see a complete build, old or new. */
function replaceDist(draft) {
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
 * Builds what is needed; true when it did.
 * @throws Error with the compilers' output when sources do not compile; dist/ then stays as it was
 */
export async function build({ force = false } = {}) {
  // A container image holds no sources: what is there is what runs.
  if (!existsSync(join(root, 'src'))) return false;
  for (const part of parts) part.stamp = stampOf(part);
  if (!force && parts.every((part) => isStamped(dist, part))) return false;
  removeLeftovers();
  const draft = join(root, `dist.${process.pid}`);
  mkdirSync(draft);
  try {
    const results = await Promise.allSettled(parts.map((part) => fill(part, draft, force)));
    const failures = results.filter(({ status }) => status === 'rejected');
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason.message).join('\n'));
    replaceDist(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return true;
}

/** Builds, or ends this process with the compiler's message. */
export async function buildOrExit(options) {
  const failure = preflightFailure(root);
  if (failure !== null) {
    process.stderr.write(`${failure}\n`);
    process.exit(1);
  }
  try {
    return await build(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const done = await buildOrExit({ force: process.argv.includes('--force') });
  process.stdout.write(done ? 'built dist/\n' : 'dist/ is up to date\n');
}
