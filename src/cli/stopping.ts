import { constants } from 'node:os';
import { stopRequested } from '../startup/stop-requested.js';

/** A migration ends within six seconds; work that takes longer is assumed to hang. */
const END_WITHIN_MS = 8_000;

/** The exit code that shells and kubelets interpret as "ended by that signal". */
export function stoppedStatus(): number {
  return 128 + constants.signals[stopRequested.reason as NodeJS.Signals];
}

function leave(): never {
  process.stderr.write(`Stopped by ${stopRequested.reason}.\n`);
  process.exit(stoppedStatus());
}

/** Most commands can exit immediately: PostgreSQL rolls back uncommitted work. */
export function leaveWhenRequested(): void {
  if (stopRequested.aborted) leave();
  stopRequested.addEventListener('abort', leave);
}

/** Runs work that ends quickly and cleanly when the process is asked to stop. */
export async function endingInOrder<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const setBound = (): void => void setTimeout(leave, END_WITHIN_MS).unref();
  stopRequested.removeEventListener('abort', leave);
  stopRequested.addEventListener('abort', setBound);
  return work(stopRequested);
}
