import type { Log } from '../observability/log.js';

/** Runs `stop` once, at the first signal that asks for it, and then ends the process. */
export function onStopSignal(log: Log, stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping = false;
  const begin = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    await stop(signal);
    log.info({}, 'stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      begin(signal).catch((error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      });
    });
  }
}
