import { useState } from 'react';
import { Button, IconButton } from '../ui/button.js';
import { DataText } from '../ui/data-text.js';
import { Icon } from '../ui/icons.js';
import { Progress } from '../ui/progress.js';
import { summaryOf } from './job-summary.js';
import { type Job, jobs } from './jobs.js';

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

/** Jobs that run or have ended, each with what can be done about it. */
export function JobList({ all }: { all: readonly Job[] }) {
  return (
    <ul className="divide-y divide-line">
      {all.map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ul>
  );
}
