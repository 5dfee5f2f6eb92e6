import type { LogService } from '../platform/observability/log.service.js';

/** Time to shut down in addition to draining and the grace period: connections, the last log lines. */
const MARGIN_MS = 10_000;

interface StopOptions {
  /** Time (ms) that `stop` may take according to its own settings. */
  withinMs: number;
  /** Called before the process exits because `stop` took too long. */
  onOverdue?: () => void;
}

/** Runs `stop` once, then exits: 0, or 1 if `stop` failed or took ten seconds longer than allowed. */
export function onStopSignal(
  requested: AbortSignal,
  log: LogService,
  { withinMs, onOverdue }: StopOptions,
  stop: (signal: NodeJS.Signals) => Promise<void>,
): void {
  const begin = async (): Promise<void> => {
    const signal = requested.reason as NodeJS.Signals;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({}, 'the shutdown took too long; the process ends with work in progress');
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
