import type pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { within } from '../../../../libs/kernel/index.js';

/** Time (ms) that a migration has after a stop request before its statement is canceled. */
const FINISH_WITHIN_MS = 4_000;
const CANCEL_EVERY_MS = 200;
const CANCEL_WITHIN_MS = 2_000;

type Connection = pg.PoolClient & { processID: number; connection: { stream: { destroy(): void } } };

/** Resolves like `work`, or rejects as soon as a stop is requested. For work that needs no cleanup. */
export async function orStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  stop.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(stop.reason as Error);
    stop.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}

/** Cancels the worker's statements until its work ends, then closes the worker's connection. */
async function cancel(ended: Promise<true>, worker: Connection, helper: QueryRunner): Promise<void> {
  for (let tries = 0; tries < CANCEL_WITHIN_MS / CANCEL_EVERY_MS; tries++) {
    // The name check prevents canceling another backend if a pooler made up the number.
    void helper.manager
      .query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE pid = ${worker.processID} AND application_name = 'tenure' AND datname = current_database()`,
      )
      .catch(() => undefined);
    if (await within(ended, CANCEL_EVERY_MS, false)) return;
  }
  worker.connection.stream.destroy();
}

/**
 * Resolves like the migration's `work`. After a stop request the work has `FINISH_WITHIN_MS`; then its statement is
 * canceled, so that PostgreSQL rolls back immediately instead of continuing without a client.
 */
export async function endingSoon<T>(
  work: Promise<T>,
  stop: AbortSignal,
  { worker, helper }: { worker: QueryRunner; helper: QueryRunner },
): Promise<T> {
  const client = (await worker.connect()) as Connection;
  const ended = work.then(
    () => true as const,
    () => true as const,
  );
  void orStopped(ended, stop).catch(async () => {
    if (!(await within(ended, FINISH_WITHIN_MS, false))) await cancel(ended, client, helper);
  });
  return work;
}
