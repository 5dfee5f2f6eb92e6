import type { FileStoreEnvironment } from './environment.js';
import { isFileStoreError } from './file-store-error.js';

const DELAYS_MS = [1, 2, 4, 8, 16, 32].map((seconds) => seconds * 1000);

export type Retried = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** Repeats work that failed temporarily, after a pause that grows and differs between processes. */
export function retriesIn({
  retryDelaysMs = DELAYS_MS,
  sleep,
  random,
}: Pick<FileStoreEnvironment, 'retryDelaysMs' | 'sleep' | 'random'>): Retried {
  return async (work, signal) => {
    for (const delay of retryDelaysMs) {
      try {
        return await work();
      } catch (error) {
        if (!isFileStoreError(error) || !error.isTransient) throw error;
        await sleep(delay * (0.5 + random() / 2), signal);
        signal?.throwIfAborted();
      }
    }
    return work();
  };
}
