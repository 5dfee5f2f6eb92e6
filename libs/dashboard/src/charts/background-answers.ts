import { CallError } from '../api/call-error.js';

export const COMPUTING = 'chart_computing';
const reasons = [COMPUTING, 'too_many_charts', 'chart_failed'];
const USUAL_RETRY_S = 10;
const MS_PER_SECOND = 1000;

/** Whether the server computes the chart in the background, or will do so later. */
export function isInBackground(error: unknown): error is CallError {
  return error instanceof CallError && reasons.includes(error.reason ?? '');
}

export function isComputing(error: unknown): error is CallError {
  return error instanceof CallError && error.reason === COMPUTING;
}

export function retryMs({ retryAfterS }: CallError): number {
  return (retryAfterS ?? USUAL_RETRY_S) * MS_PER_SECOND;
}

/** When to ask again for a chart in the background; never for other errors. */
export function askAgainMs(error: unknown): number | false {
  return isInBackground(error) ? retryMs(error) : false;
}

/** Reads the progress from "The chart is being computed: 12 of 500 parts are done." */
export function partsOf(message: string): { done: number; all: number } | null {
  const [, done, all] = /(\d+) of (\d+) parts/.exec(message) ?? [];
  return done === undefined || all === undefined ? null : { done: Number(done), all: Number(all) };
}
