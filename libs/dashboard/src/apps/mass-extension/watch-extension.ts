import { jobs } from '../../frame/jobs/jobs.js';
import { CallError } from '../../api/call-error.js';
import { fetchMassExtension, lookAgainAfter, type MassExtension } from './mass-extension.queries.js';

/** Follows an extension in the job strip until Apple has completed it. */
export function watchExtension(projectId: string, requested: MassExtension): number {
  const { id, app_id: appId, product_id: product, requested_at: requestedAt } = requested;
  return jobs.start({ name: `Extension of ${product}`, by: 'server', canCancel: false }, async (job) => {
    for (;;) {
      await job.pause(lookAgainAfter(requestedAt, Date.now()));
      try {
        const found = await fetchMassExtension(projectId, appId, id, job.signal);
        if (!found.complete) continue;
        const [succeeded, failed] = [found.succeeded_count ?? 0, found.failed_count ?? 0];
        job.report({
          done: succeeded,
          total: succeeded + failed,
          note: `${succeeded} extended, ${failed} refused by Apple`,
        });
        return;
      } catch (error) {
        // Apple continues while the page is closed.
        if (!(error instanceof CallError && error.retryable)) throw error;
      }
    }
  });
}
