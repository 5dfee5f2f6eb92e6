import { useSyncExternalStore } from 'react';
import { CallError } from '../../api/call-error.js';

export interface JobFailure {
  label: string;
  message: string;
}

export interface Job {
  id: number;
  name: string;
  done: number;
  /** Null if unknown. */
  total: number | null;
  /** `done` is a percentage, not a count. */
  isPercent: boolean;
  failures: readonly JobFailure[];
  status: 'running' | 'done' | 'cancelled' | 'failed';
  /** The current step, or the reason for a failure. */
  note: string | null;
  /** Whether closing the tab stops it. */
  isInBrowser: boolean;
  cancel: (() => void) | null;
}

/** Passed to the work of a job. */
export interface JobControl {
  signal: AbortSignal;
  report: (progress: Partial<Pick<Job, 'done' | 'total' | 'note'>>) => void;
  fail: (failure: JobFailure) => void;
  /** Waits between polls of the server's work. @throws when cancelled */
  pause: (ms: number) => Promise<void>;
}

export interface JobOptions {
  name: string;
  total?: number;
  isPercent?: boolean;
  /** `browser`: this tab makes the calls. `server`: this tab only polls, and closing it stops nothing. */
  by: 'browser' | 'server';
  /** False if nothing can stop it. */
  canCancel?: boolean;
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** Background jobs of this tab, which continue when the page changes. */
class Jobs {
  private jobs: readonly Job[] = [];
  private lastId = 0;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): readonly Job[] => this.jobs;

  readonly close = (id: number): void => this.replace(this.jobs.filter((job) => job.id !== id));

  /** Stops the work of this tab and removes all jobs. */
  clear(): void {
    for (const { cancel } of this.jobs) cancel?.();
    this.replace([]);
  }

  /** Shows `work` in the strip until it is closed there. */
  start(
    { name, total, isPercent = false, by, canCancel = true }: JobOptions,
    work: (job: JobControl) => Promise<void>,
  ): number {
    const id = ++this.lastId;
    const abort = new AbortController();
    const job: Job = {
      id,
      name,
      done: 0,
      total: total ?? null,
      isPercent,
      failures: [],
      status: 'running',
      note: null,
      isInBrowser: by === 'browser',
      cancel: canCancel ? () => abort.abort() : null,
    };
    this.replace([...this.jobs, job]);
    const change = (changes: (before: Job) => Partial<Job>) =>
      this.replace(this.jobs.map((each) => (each.id === id ? { ...each, ...changes(each) } : each)));
    work({
      signal: abort.signal,
      report: (progress) => change(() => progress),
      fail: (failure) => change(({ failures }) => ({ failures: [...failures, failure] })),
      pause: (ms) => pauseFor(ms, abort.signal),
    }).then(
      () => change(() => ({ status: 'done', cancel: null })),
      (error: unknown) =>
        change(() => ({
          status: abort.signal.aborted ? 'cancelled' : 'failed',
          note: abort.signal.aborted ? null : error instanceof Error ? error.message : String(error),
          cancel: null,
        })),
    );
    return id;
  }

  private replace(jobs: readonly Job[]): void {
    this.jobs = jobs;
    for (const listener of this.listeners) listener();
  }
}

export const jobs = new Jobs();

export const useJobs = (): readonly Job[] => useSyncExternalStore(jobs.subscribe, jobs.current);

const PARALLEL = 4;
const UNTIL_RETRY_S = 2;
/** Retries when the server is down or the object is locked. */
const MOST_TRIES = 4;

/**
 * Makes one call per item, four at a time. A failure does not stop the rest. Waits for rate limits, and retries for a
 * while if the server does not respond.
 */
export async function forEachItem<Item>(
  job: JobControl,
  items: readonly Item[],
  labelOf: (item: Item) => string,
  send: (item: Item, headers: { 'Idempotency-Key': string }) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  let done = 0;
  const run = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('');
  const sendOne = async (item: Item, index: number): Promise<void> => {
    for (let tries = 1; ; tries++) {
      job.signal.throwIfAborted();
      try {
        await send(item, { 'Idempotency-Key': `${run}-${index}` });
        return;
      } catch (error) {
        const isLimit = error instanceof CallError && error.status === 429;
        const isPassing = error instanceof CallError && (error.retryable || error.status === 423);
        if (!isLimit && !(isPassing && tries < MOST_TRIES)) {
          job.fail({ label: labelOf(item), message: error instanceof Error ? error.message : String(error) });
          return;
        }
        await job.pause((error.retryAfterS ?? UNTIL_RETRY_S) * 1000);
      }
    }
  };
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      await sendOne(items[index]!, index);
      job.report({ done: ++done });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
