import { useEffect, useState } from 'react';
import { Button, IconButton } from '../../ui/button.js';
import { DataText } from '../../ui/text/data-text.js';
import { Icon } from '../../ui/icons.js';
import { Progress } from '../../ui/progress.js';
import { type Job, jobs } from './jobs.js';

const words = { running: '', done: 'Done', cancelled: 'Cancelled', failed: 'Failed' };

function summaryOf({ status, done, total, isPercent, failures }: Job): string {
  const parts = [words[status]];
  if (isPercent) parts.push(`${done}%`);
  else if (total !== null) parts.push(`${done.toLocaleString()} of ${total.toLocaleString()}`);
  else if (status === 'running') parts.push(done > 0 ? `${done.toLocaleString()} so far` : 'Working');
  if (failures.length > 0) parts.push(`${failures.length} failed`);
  return parts.filter((part) => part !== '').join(' · ');
}

function JobRow({ job }: { job: Job }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, status, done, total, failures, note, cancel, isInBrowser } = job;
  return (
    <li className="flex flex-col gap-1 px-4 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{name}</span>
        {status === 'running' && (
          <span className="w-40">
            <Progress label={name} value={done} max={total ?? undefined} />
          </span>
        )}
        <span className={`tabular-nums ${status === 'failed' ? 'text-bad' : 'text-muted'}`}>
          {status === 'done' && <Icon name="check" />} {summaryOf(job)}
        </span>
        {note !== null && <span className="text-muted">{note}</span>}
        <span className="ms-auto flex items-center gap-2">
          {failures.length > 0 && (
            <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? 'Hide failures' : 'Show failures'}
            </Button>
          )}
          {status === 'running' && cancel && (
            <Button size="sm" onClick={cancel}>
              Cancel
            </Button>
          )}
          {status === 'running' && !cancel && !isInBrowser && (
            <Button size="sm" variant="ghost" onClick={() => jobs.close(id)}>
              Hide
            </Button>
          )}
          {status !== 'running' && (
            <IconButton icon="x" label={`Close ${name}`} onClick={() => jobs.close(id)} />
          )}
        </span>
      </div>
      {isOpen && (
        <ul className="max-h-40 overflow-auto text-sm">
          {failures.map(({ label, message }, index) => (
            <li key={index}>
              <DataText mono>{label}</DataText>: <DataText>{message}</DataText>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Background jobs, at the bottom of the window, on all pages. */
export function JobStrip({ all }: { all: readonly Job[] }) {
  const asksBeforeLeaving = all.some(({ status, isInBrowser }) => status === 'running' && isInBrowser);
  useEffect(() => {
    if (!asksBeforeLeaving) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [asksBeforeLeaving]);
  // Screen readers announce only the result of a job, not each step.
  const finished = all.filter(({ status }) => status !== 'running');
  return (
    <>
      <p role="status" className="sr-only">
        {finished.map((job) => `${job.name}: ${summaryOf(job)}`).join('. ')}
      </p>
      <section aria-label="Work in progress" className="sticky bottom-0 z-10 border-t border-line bg-panel">
        <ul className="divide-y divide-line">
          {all.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      </section>
    </>
  );
}
