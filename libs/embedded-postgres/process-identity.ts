import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process by more than its number, which may be reused. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in the system's format (compare, do not parse); null if the system does not report it. */
  startedAt: string | null;
}

/** Whether a process has the number, even a zombie. */
export function isTaken(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface Description {
  state: string;
  startedAt: string;
}

function describeFromProc(pid: number): Description | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, a name, may contain spaces and parentheses; the state is the 3rd, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The start time counts from boot, so it is unique only together with the boot id.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { state: fields[0] ?? '', startedAt: `${boot}/${fields[19]}` };
  } catch {
    return null;
  }
}

function describeFromPs(pid: number): Description | null {
  const { status, stdout } = spawnSync('ps', ['-o', 'state=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state, ...start] = status === 0 ? stdout.trim().split(/\s+/) : [];
  return state ? { state, startedAt: start.join(' ') } : null;
}

function describe(pid: number): Description | null {
  return process.platform === 'linux' ? describeFromProc(pid) : describeFromPs(pid);
}

/** Returns the running process with this number, or null. Zombies do not count. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!isTaken(pid)) return null;
  const description = describe(pid);
  if (description?.state.startsWith('Z')) return null;
  return { pid, startedAt: description?.startedAt ?? null };
}

export function isRunning(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now !== null && (identity.startedAt === null || now.startedAt === identity.startedAt);
}
