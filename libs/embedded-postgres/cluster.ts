import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { PostgresBinaries } from './binaries.js';
import { canReach, databaseUser, type SystemUser } from './system-user.js';

export interface Place {
  /** Real path of the data folder; its log and lock are next to it: `<path>.log`, `<path>.lock`. */
  path: string;
  /** The user who runs the server; null: the user of this process. */
  user: SystemUser | null;
}

export const DATABASE_USER = 'tenure';
/** A fixed environment: the caller's variables (locale, PGDATA, ...) must not affect the programs. */
export const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };
const RELOCATED = '/var/lib/tenure';
/** Stored in the data folder, so that data and password stay together. */
const PASSWORD_FILE = 'tenure.password';

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

/** Makes a new folder accessible to the database's user, whatever this process's umask. */
function makeSearchable(folder: string): void {
  const made = mkdirSync(folder, { recursive: true }) !== undefined;
  if (made) chmodSync(folder, 0o755);
}

/**
 * Finds a location for the data: if the database's user cannot reach root's folder, a different one.
 * @throws Error if that user can reach neither
 */
export function placeOf(dataDir: string, log: (line: string) => void): Place {
  mkdirSync(dirname(resolve(dataDir)), { recursive: true });
  const path = realPath(resolve(dataDir));
  const user = databaseUser(path);
  if (!user || canReach(dirname(path), user)) return { path, user };
  const name = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const elsewhere = join(RELOCATED, name, 'postgres');
  makeSearchable(RELOCATED);
  makeSearchable(dirname(elsewhere));
  const place = { path: elsewhere, user: databaseUser(elsewhere) };
  if (place.user && !canReach(dirname(elsewhere), place.user)) {
    throw new Error(`The user who runs the database can reach neither ${path} nor ${elsewhere}.`);
  }
  log(`${path} cannot be reached by the user who runs the database; the data are in ${elsewhere}`);
  return place;
}

function own(path: string, user: SystemUser | null): void {
  if (user) chownSync(path, user.uid, user.gid);
}

/** Ensures that a new name in a folder survives a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Removes drafts of processes killed during initialisation; `initdb` may still be writing to one. */
function removeDrafts(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.new-`)) continue;
    try {
      rmSync(join(dirname(path), name), { recursive: true, force: true });
    } catch {
      // A later start removes it.
    }
  }
}

function runInitdb(
  draft: string,
  passwordFile: string,
  { user }: Place,
  { initdb }: PostgresBinaries,
  durable: boolean,
): void {
  const args = [
    `--pgdata=${draft}`,
    `--username=${DATABASE_USER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    // Unicode case rules and plain byte order, which are the same on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    durable ? [] : '--no-sync',
  ].flat();
  const result = spawnSync(initdb, args, { ...user, cwd: '/', env: ENVIRONMENT, encoding: 'utf8' });
  if (result.status !== 0) {
    throw new Error(`initdb failed: ${result.error?.message ?? result.stderr.trim()}`);
  }
}

/**
 * Initialises the folder unless it contains a database. Uses a temporary name first, so that after a crash nothing
 * looks like a database.
 * @throws Error if the folder contains other files or initdb fails
 */
export function ensureCluster(place: Place, binaries: PostgresBinaries, durable: boolean): void {
  const { path, user } = place;
  removeDrafts(path);
  if (existsSync(join(path, 'PG_VERSION'))) return chmodSync(path, 0o700);
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new Error(`${path} holds files, but no database; name an empty folder.`);
  }
  const draft = mkdtempSync(`${path}.new-`);
  const passwordFile = `${draft}.password`;
  try {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
    own(draft, user);
    own(passwordFile, user);
    runInitdb(draft, passwordFile, place, binaries, durable);
    renameSync(passwordFile, join(draft, PASSWORD_FILE));
    renameSync(draft, path);
    if (durable) syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
    throw error;
  }
}

/** @throws Error if the password file is missing */
export function passwordOf({ path }: Place): string {
  const file = join(path, PASSWORD_FILE);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The password of the embedded PostgreSQL cannot be read from ${file}.`, { cause: error });
  }
}
