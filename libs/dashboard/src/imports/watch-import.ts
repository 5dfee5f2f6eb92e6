import type { QueryClient } from '@tanstack/react-query';
import { CallError } from '../api/call-error.js';
import { type JobControl, jobs } from '../frame/jobs/jobs.js';
import { importStatusQuery, isImporting } from './imports.queries.js';

const POLL_MS = 5_000;

/** Projects whose import is in the job strip. */
const watched = new Set<string>();

/** Shows a running CLI import in the job strip on all pages, until it has not written for a while. */
export function watchImport(queries: QueryClient, projectId: string): void {
  if (watched.has(projectId)) return;
  watched.add(projectId);
  // The imports page polls equally often; one request is enough for both.
  const query = { ...importStatusQuery(projectId), staleTime: POLL_MS - 500 };
  const watch = async (job: JobControl): Promise<void> => {
    for (;;) {
      try {
        const status = await queries.fetchQuery(query);
        job.report({ note: `${status.customers.toLocaleString()} customers in the project` });
        if (!isImporting(status, Date.now())) return;
      } catch (error) {
        if (!(error instanceof CallError && error.retryable)) throw error;
      }
      await job.pause(POLL_MS);
    }
  };
  jobs.start({ name: 'Import', by: 'server', canCancel: false }, (job) =>
    watch(job).finally(() => watched.delete(projectId)),
  );
}
