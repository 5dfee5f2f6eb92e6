import { readFileSync, rmSync, writeFileSync } from 'node:fs';

interface Owner {
  pid: number;
  startedAt: string | null;
}

/** Tells two processes of the same number apart, where the system says when a process began. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name that may hold spaces and parentheses; the start time is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isStill(owner: Owner): boolean {
  return isAlive(owner.pid) && (owner.startedAt === null || owner.startedAt === startOf(owner.pid));
}

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

/**
 * Takes a folder for this process. A lock left behind by a killed process does not count.
 * @returns gives the folder back
 * @throws Error when another living process has it
 */
export function lockFolder(file: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = readOwner(file);
      if (owner && isStill(owner)) {
        throw new Error(`Another Tenure process (pid ${owner.pid}) uses this data folder.`);
      }
      rmSync(file, { force: true });
    }
  }
}
