import { readdirSync } from 'node:fs';
import type { Log } from '../observability/log.js';
import { standBack } from './stand-back.js';

/** On Linux a priority is one thread's; threads to come have that of whoever makes them. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [process.pid];
  }
}

const isGone = (error: unknown): boolean => (error as { info?: { code?: string } }).info?.code === 'ESRCH';

/** Lets others on the machine go first, unless this process was started with as much niceness or more. */
export function lowerOwnPriority(niceness: number, log: Log): void {
  for (const thread of threads()) {
    try {
      standBack(thread, niceness);
    } catch (error) {
      if (!isGone(error)) log.warn({ err: error }, 'this process cannot stand back for others');
    }
  }
}
