import { readFileSync } from 'node:fs';
import { release } from 'node:os';

const sliceNs = (pid: number): string | undefined => {
  try {
    return /^se\.slice +: +(\d+)$/m.exec(readFileSync(`/proc/${pid}/sched`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
};

const [major = 0, minor = 0] = release().split('.').map(Number);

/** Whether threads have time slices of their own here, and the system tells them: Linux from 6.12 on. */
export const hasTimeSlices =
  process.platform === 'linux' &&
  (major > 6 || (major === 6 && minor >= 12)) &&
  sliceNs(process.pid) !== undefined;

/** The time slice (ms) of a process's first thread, where there are any. */
export const timeSliceMs = (pid: number): number => Number(sliceNs(pid)) / 1_000_000;
