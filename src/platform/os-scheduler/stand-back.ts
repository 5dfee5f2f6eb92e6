import { getPriority, setPriority } from 'node:os';
import { setTimeSlice } from './time-slice.js';

/**
 * Up to Linux 6.5 who has less niceness goes first as soon as it wakes up. Since then whoever runs keeps its core for
 * its slice (0.7 to 3 ms, and from there to the next tick), whatever its niceness, unless (6.12) the slice of the one
 * that wakes up is shorter. Hardly longer than the usual one: where all cores are taken by who never sleeps, this one's
 * turn comes the later the longer its slice is, and somebody may wait for a lock that it holds.
 */
export const STANDING_BACK_SLICE_MS = 4;

/**
 * Has a thread, or a process by its first one, let others go first; never raises a priority. Throws where that is not
 * permitted or it is gone.
 */
export function standBack(thread: number, niceness: number): void {
  if (getPriority(thread) < niceness) setPriority(thread, niceness);
  setTimeSlice(thread, STANDING_BACK_SLICE_MS);
}
