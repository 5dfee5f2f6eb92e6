import { CallError } from '../../api/call-error.js';
import { jobs, type JobControl } from '../../frame/jobs/jobs.js';
import { failedOfReplay, getReplay, type Replay } from '../webhooks.queries.js';

const SOON_MS = 1_000;
const LATER_MS = 15_000;
/** The largest replay takes a few minutes; anything pending after that waits for retries. */
const SOON_FOR_MS = 5 * 60_000;

/** Returns the current progress, or the previous one while the server is unreachable. */
async function next(projectId: string, before: Replay, { signal }: JobControl): Promise<Replay> {
  try {
    return await getReplay(projectId, before, signal);
  } catch (error) {
    if (error instanceof CallError && error.retryable) return before;
    throw error;
  }
}

function noteOf({ failed, pending }: Replay, isLate: boolean): string | null {
  const parts = [];
  if (failed > 0) parts.push(`${failed.toLocaleString()} failed`);
  if (isLate && pending > 0) parts.push(`${pending.toLocaleString()} wait for a retry`);
  return parts.join(' · ') || null;
}

async function watch(projectId: string, begun: Replay, job: JobControl): Promise<void> {
  let replay = begun;
  for (let waited = 0; replay.status === 'running';) {
    const ms = waited < SOON_FOR_MS ? SOON_MS : LATER_MS;
    await job.pause(ms);
    waited += ms;
    replay = await next(projectId, replay, job);
    const { delivered, failed } = replay;
    job.report({ done: delivered + failed, note: noteOf(replay, waited >= SOON_FOR_MS) });
  }
  if (replay.failed === 0) return;
  for (const { id, event_type: type, last_error: error } of await failedOfReplay(
    projectId,
    replay,
    job.signal,
  ))
    job.fail({ label: `${type} ${id}`, message: error ?? 'No answer' });
  job.report({ note: null });
}

/** Shows a replay's progress in the job strip. The replay continues without this tab. */
export function watchReplay(projectId: string, name: string, replay: Replay, onDone: () => void): void {
  const options = {
    name: `Replay to ${name}`,
    total: replay.queued,
    by: 'server',
    canCancel: false,
  } as const;
  jobs.start(options, (job) => watch(projectId, replay, job).finally(onDone));
}
