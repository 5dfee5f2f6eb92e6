import { channel } from 'node:diagnostics_channel';

/** A registered name of background work. */
export type JobName = string & { readonly isJobName: true };

/** Every registered name. Counters start at 0, because Prometheus does not count the step from no value to 1. */
export const jobNames = new Set<JobName>();

export function jobName(name: string): JobName {
  jobNames.add(name as JobName);
  return name as JobName;
}

export interface JobEvent {
  job: JobName;
  result: 'done' | 'failed';
  durationMs: number;
}

/** Observers of jobs subscribe here, so that jobs need not know them. */
export const jobEvents = channel('tenure:job');

/** Publishes how the work ended. @param onlyFailures for polls, most of which find nothing to do */
export async function watched<T>(job: JobName, work: () => Promise<T>, onlyFailures = false): Promise<T> {
  if (!jobEvents.hasSubscribers) return work();
  const startedAt = performance.now();
  let result: JobEvent['result'] = 'failed';
  try {
    const value = await work();
    result = 'done';
    return value;
  } finally {
    const event: JobEvent = { job, result, durationMs: performance.now() - startedAt };
    if (result === 'failed' || !onlyFailures) jobEvents.publish(event);
  }
}

/** Runs a round that has no caller to throw to: errors go to `onError`. */
export async function runRound(
  job: JobName,
  round: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await watched(job, round);
  } catch (error) {
    onError(error);
  }
}
