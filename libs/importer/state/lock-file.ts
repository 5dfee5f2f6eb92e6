import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ImportFailed } from '../command/outcome.js';

interface Holder {
  pid: number;
  host: string;
}

export interface HeldLock {
  release(): Promise<void>;
}

/**
 * Locks a state file against a second run. Takes over the lock of a process that no longer exists.
 * @throws ImportFailed if another run holds it
 */
export async function lockFile(file: string): Promise<HeldLock> {
  for (let tries = 0; ; tries += 1) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle
        .writeFile(JSON.stringify({ pid: process.pid, host: hostname() }))
        .finally(() => handle.close());
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new ImportFailed(`The lock file ${file} cannot be written: ${(error as Error).message}`);
      }
    }
    const holder = await holderOf(file);
    if (tries > 2 || (holder !== null && isRunning(holder))) {
      const who = holder === null ? '' : ` (process ${holder.pid} on ${holder.host})`;
      throw new ImportFailed(`Another import uses this state file${who}. If none runs, delete ${file}.`);
    }
    await rm(file, { force: true });
  }
}

async function holderOf(file: string): Promise<Holder | null> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<Holder>;
    return typeof value.pid === 'number' && typeof value.host === 'string' ? (value as Holder) : null;
  } catch {
    // The process was killed before writing the lock, or the lock has been removed.
    return null;
  }
}

function isRunning({ pid, host }: Holder): boolean {
  // Processes on another machine cannot be checked.
  if (host !== hostname()) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
