import type { QueryClient } from '@tanstack/react-query';
import { CallError } from '../../api/call-error.js';
import { type JobControl, jobs } from '../../frame/jobs/jobs.js';
import { type TestClock, testClockQuery } from './test-clocks.queries.js';

const POLL_MS = 500;
/** Most clocks finish sooner, which is not worth a row. */
const QUIET_MS = 1_000;

/** Prevents a second row if a clock is advanced again before its row appears. */
const watched = new Set<string>();

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Follows a clock in the job strip if it takes a while. The clock advances without this tab. */
export async function watchAdvance(queries: QueryClient, projectId: string, begun: TestClock): Promise<void> {
  const { id, name } = begun;
  // The clock's page polls equally often; one request is enough for both.
  const query = { ...testClockQuery(projectId, id), staleTime: POLL_MS - 100 };
  const watch = async (job: JobControl): Promise<void> => {
    for (;;) {
      try {
        const { status, progress, error } = await queries.fetchQuery(query);
        if (status === 'failed') throw new Error(error ?? 'The clock stopped before its target');
        job.report({ done: status === 'ready' ? 100 : Math.floor((progress ?? 0) * 100) });
        if (status === 'ready') return;
      } catch (error) {
        if (!(error instanceof CallError && error.retryable)) throw error;
      }
      await job.pause(POLL_MS);
    }
  };
  if (begun.status !== 'advancing' || watched.has(id)) return;
  watched.add(id);
  await after(QUIET_MS);
  const now = await queries.fetchQuery(query).catch(() => null);
  if (now?.status !== 'advancing') {
    watched.delete(id);
    return;
  }
  jobs.start(
    { name: `Advance of ${name}`, total: 100, isPercent: true, by: 'server', canCancel: false },
    (job) => watch(job).finally(() => watched.delete(id)),
  );
}
