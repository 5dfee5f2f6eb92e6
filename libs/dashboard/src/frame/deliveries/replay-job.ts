import { CallError } from '../../api/call-error.js';
import { jobs, type JobControl } from '../jobs/jobs.js';

const SOON_MS = 1_000;
const LATER_MS = 15_000;
/** The largest replay takes a few minutes; anything pending after that waits for retries. */
const SOON_FOR_MS = 5 * 60_000;

export interface ReplayProgress {
  status: 'running' | 'complete';
  queued: number;
  pending: number;
  delivered: number;
  failed: number;
  /** Only of destinations. */
  waiting?: number;
  skipped?: number;
}

export interface WatchedReplay<Replay extends ReplayProgress> {
  /** The receiver. */
  name: string;
  replay: Replay;
  read: (signal: AbortSignal) => Promise<Replay>;
  /** The first deliveries of the replay that failed. */
  readFailed: (
    signal: AbortSignal,
  ) => Promise<{ id: string; event_type: string; last_error: string | null }[]>;
}

/** Returns the current progress, or the previous one while the server is unreachable. */
async function next<R extends ReplayProgress>(before: R, watched: WatchedReplay<R>, { signal }: JobControl) {
  try {
    return await watched.read(signal);
  } catch (error) {
    if (error instanceof CallError && error.retryable) return before;
    throw error;
  }
}

function noteOf(
  { failed, pending, waiting = 0, skipped = 0 }: ReplayProgress,
  isLate: boolean,
): string | null {
  const parts = [];
  if (failed > 0) parts.push(`${failed.toLocaleString()} failed`);
  if (skipped > 0) parts.push(`${skipped.toLocaleString()} skipped`);
  if (waiting > 0) parts.push(`${waiting.toLocaleString()} ${waiting === 1 ? 'waits' : 'wait'} for an id`);
  if (isLate && pending > 0)
    parts.push(`${pending.toLocaleString()} ${pending === 1 ? 'waits' : 'wait'} for a retry`);
  return parts.join(' · ') || null;
}

async function watch<R extends ReplayProgress>(watched: WatchedReplay<R>, job: JobControl): Promise<void> {
  let { replay } = watched;
  for (let waited = 0; replay.status === 'running';) {
    const ms = waited < SOON_FOR_MS ? SOON_MS : LATER_MS;
    await job.pause(ms);
    waited += ms;
    replay = await next(replay, watched, job);
    const { delivered, failed, waiting = 0, skipped = 0 } = replay;
    job.report({ done: delivered + failed + waiting + skipped, note: noteOf(replay, waited >= SOON_FOR_MS) });
  }
  if (replay.failed === 0) return;
  for (const { id, event_type: type, last_error: error } of await watched.readFailed(job.signal))
    job.fail({ label: `${type} ${id}`, message: error ?? 'No answer' });
  job.report({ note: null });
}

/** Shows a replay's progress in the job strip. The replay continues without this tab. */
export function watchReplay<R extends ReplayProgress>(watched: WatchedReplay<R>, onDone: () => void): void {
  const options = {
    name: `Replay to ${watched.name}`,
    total: watched.replay.queued,
    by: 'server',
    canCancel: false,
  } as const;
  jobs.start(options, (job) => watch(watched, job).finally(onDone));
}
