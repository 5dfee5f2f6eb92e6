const controller = new AbortController();

// Linux ignores a signal to process 1 without a handler, and everything else is loaded later.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal));

/** Aborted by the first SIGINT or SIGTERM, with its name as the reason. Programs import it first. */
export const stopRequested: AbortSignal = controller.signal;
