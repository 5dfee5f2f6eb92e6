import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A reader that is waited for this long ... */
const WINDOW_MS = 60_000;
/** ... must take at least this much in the time. */
const MIN_BYTES_PER_S = 64_000;

/** Time of the system, or of a test. */
export interface PaceTimers {
  nowMs(): number;
  /** Returns a function that cancels the call. */
  after(ms: number, call: () => void): () => void;
}

const systemTimers: PaceTimers = {
  nowMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves when the stream accepts more or is closed (true), or after `ms` (false). */
async function isDrained(stream: Writable, ms: number, timers: PaceTimers): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const late = new Promise<boolean>((resolve) => {
    const cancel = timers.after(ms, () => resolve(false));
    signal.addEventListener('abort', cancel);
  });
  const events = ['drain', 'close'].map((name) => once(stream, name, { signal }).then(() => true));
  for (const event of events) event.catch(() => undefined);
  try {
    return await Promise.race([...events, late]);
  } finally {
    waiting.abort();
  }
}

/**
 * Writes a file at the speed of its reader. Only the time in which the reader is waited for counts: a slow reader is
 * disconnected, because the file holds a connection to the database. Returns false if the reader was disconnected.
 */
export async function sendPaced(
  stream: Writable,
  chunks: AsyncIterable<Buffer>,
  timers = systemTimers,
): Promise<boolean> {
  let waitedMs = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    if (stream.destroyed) return false;
    bytes += chunk.length;
    let isFull = !stream.write(chunk);
    while (isFull && !stream.destroyed) {
      const startedMs = timers.nowMs();
      isFull = !(await isDrained(stream, WINDOW_MS - waitedMs, timers));
      waitedMs += timers.nowMs() - startedMs;
      if (waitedMs < WINDOW_MS) continue;
      if (bytes < (MIN_BYTES_PER_S * WINDOW_MS) / 1000) {
        stream.destroy();
        return false;
      }
      waitedMs = 0;
      bytes = 0;
    }
  }
  if (stream.destroyed) return false;
  stream.end();
  return true;
}
