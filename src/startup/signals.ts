import type { Log } from '../platform/observability/log.js';

/** What shutting down takes besides draining and the grace for requests: connections, the last lines of the log. */
const MARGIN_MS = 10_000;

interface StopOptions {
  /** How long (ms) `stop` may take by its own settings. */
  withinMs: number;
  /** Comes before the end of a process whose `stop` is not done in time. */
  onOverdue?: () => void;
}

/**
 * Runs `stop` once, when the process is asked to stop, and then ends the process: with 0, or with 1 when `stop` failed
 * or took ten seconds more than it may.
 */
export function onStopSignal(
  requested: AbortSignal,
  log: Log,
  { withinMs, onOverdue }: StopOptions,
  stop: (signal: NodeJS.Signals) => Promise<void>,
): void {
  const begin = async (): Promise<void> => {
    const signal = requested.reason as NodeJS.Signals;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({}, 'the shutdown took too long; the process ends with work under way');
      onOverdue?.();
      process.exit(1);
    }, withinMs + MARGIN_MS).unref();
    await stop(signal);
    log.info({}, 'stopped');
    process.exit(0);
  };
  const beginOrExit = (): void => {
    begin().catch((error: unknown) => {
      log.fatal({ err: error }, 'the shutdown failed');
      process.exit(1);
    });
  };
  if (requested.aborted) beginOrExit();
  else requested.addEventListener('abort', beginOrExit, { once: true });
}
