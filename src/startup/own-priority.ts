import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Log } from '../observability/log.js';

/** On Linux a niceness is one thread's; threads to come have that of whoever makes them. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}

/** Lets others on the machine go first, unless this process was started with as much niceness or more. */
export function lowerOwnPriority(niceness: number, log: Log): void {
  try {
    for (const thread of threads()) if (getPriority(thread) < niceness) setPriority(thread, niceness);
  } catch (error) {
    log.warn({ err: error }, 'this process cannot stand back for others');
  }
}
