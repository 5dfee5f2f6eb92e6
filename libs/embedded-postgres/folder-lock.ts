import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.js';

const POLL_MS = 10;

/** Creates the file with all its text or not at all, so that no reader sees partial content. */
function createWhole(file: string, text: string): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function ownerIn(text: string): ProcessIdentity | null {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return null;
  }
}

type WhenBusy = (owner: ProcessIdentity) => Promise<void>;

async function acquire(file: string, whenBusy: WhenBusy): Promise<() => void> {
  const mine = JSON.stringify(identityOf(process.pid));
  for (;;) {
    if (createWhole(file, mine)) return () => rmSync(file, { force: true });
    const found = read(file);
    if (found === null) continue;
    const owner = ownerIn(found);
    if (owner && isRunning(owner)) await whenBusy(owner);
    else await removeStale(file, found);
  }
}

/** Uses a lock of its own: otherwise a process that has just read the stale lock could remove its successor. */
async function removeStale(file: string, stale: string): Promise<void> {
  const release = await acquire(`${file}.takeover`, () => sleep(POLL_MS));
  try {
    if (read(file) === stale) rmSync(file);
  } finally {
    release();
  }
}

export class FolderInUse extends Error {
  constructor(
    readonly pid: number,
    file: string,
  ) {
    super(`Another Tenure process uses this folder: process ${pid} holds ${file}.`);
  }
}

/**
 * Locks a folder for this process. A lock left by a killed process is ignored.
 * @param file the lock file; next to the folder, not in it
 * @returns a function that releases the folder
 * @throws FolderInUse if a living process holds the lock, including this one
 */
export function lockFolder(file: string): Promise<() => void> {
  return acquire(file, ({ pid }) => Promise.reject(new FolderInUse(pid, file)));
}
