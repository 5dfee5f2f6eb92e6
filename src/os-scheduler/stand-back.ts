import { getPriority, setPriority } from 'node:os';
import { setTimeSlice } from './time-slice.js';

/**
 * Up to Linux 6.5 who has less niceness goes first as soon as it wakes up. Since then whoever runs keeps its core for
 * its slice (1 to 3 ms, and from there to the next tick), whatever its niceness, unless (6.12) the slice of the one that
 * wakes up is shorter.
 */
export const STANDING_BACK_SLICE_MS = 10;

/**
 * Has a thread, or a process by its first one, let others go first; never raises a priority. Throws where that is not
 * permitted or it is gone.
 */
export function standBack(thread: number, niceness: number): void {
  if (getPriority(thread) < niceness) setPriority(thread, niceness);
  setTimeSlice(thread, STANDING_BACK_SLICE_MS);
}
