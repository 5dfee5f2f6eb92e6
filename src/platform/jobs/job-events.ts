import { channel } from 'node:diagnostics_channel';

/** A registered name of background work. */
export type JobName = string & { readonly isJobName: true };

/** Every registered name: each is counted from 0 on, as Prometheus does not count the step from nothing to 1. */
export const jobNames = new Set<JobName>();

export function jobName(name: string): JobName {
  jobNames.add(name as JobName);
  return name as JobName;
}

/** A piece of background work that ended. */
export interface JobEvent {
  job: JobName;
  result: 'done' | 'failed';
  durationMs: number;
}

/** Whoever watches jobs hears of them here; jobs know nothing of that. */
export const jobEvents = channel('tenure:job');

/**
 * Runs a piece of work of a job and tells those who watch how it ended.
 * @param onlyFailures for polls, most of which find nothing to do
 */
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

/** A round of a job that nobody waits for: watched, and what it throws goes to `onError`. */
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
