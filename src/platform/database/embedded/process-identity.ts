import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, as the system says it (compare, do not parse); null where the system does not tell. */
  startedAt: string | null;
}

/** Whether a process has the number, be it one that ended and awaits its parent. */
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
    // The second field is a name that may hold spaces and parentheses; the state is the 3rd, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The start counts from the boot, so it means something only together with the boot.
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

/** The process of this number; null when none runs. One that ended and awaits its parent does not run. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!isTaken(pid)) return null;
  const description = describe(pid);
  if (description?.state.startsWith('Z')) return null;
  return { pid, startedAt: description?.startedAt ?? null };
}

/** Whether this very process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now !== null && (identity.startedAt === null || now.startedAt === identity.startedAt);
}
