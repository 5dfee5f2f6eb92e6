import { lazy, Suspense, useEffect } from 'react';
import { summaryOf } from './job-summary.js';
import { jobs, useJobs } from './jobs.js';

export const loadJobList = () => import('./job-list.js').then(({ JobList: page }) => ({ default: page }));
const JobList = lazy(loadJobList);

/** Long work, at the bottom of the window, across changes of page. */
export function JobStrip() {
  const all = useJobs();
  const asksBeforeLeaving = all.some(({ status, isInBrowser }) => status === 'running' && isInBrowser);
  useEffect(() => {
    if (!asksBeforeLeaving) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asksBeforeLeaving]);
  // The frame goes with the session; the next one may be another person's.
  useEffect(() => () => jobs.clear(), []);
  // Only how a job ended is spoken, not each step of it.
  const finished = all.filter(({ status }) => status !== 'running');
  return (
    <>
      <p role="status" className="sr-only">
        {finished.map((job) => `${job.name}: ${summaryOf(job)}`).join('. ')}
      </p>
      {all.length > 0 && (
        <section aria-label="Work in progress" className="sticky bottom-0 z-10 border-t border-line bg-panel">
          <Suspense>
            <JobList all={all} />
          </Suspense>
        </section>
      )}
    </>
  );
}
