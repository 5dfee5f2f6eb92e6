const controller = new AbortController();

// Linux drops a signal to process 1 that has no handler, and everything else is loaded after this.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort(signal));

/** Aborted by the first SIGINT or SIGTERM, whose name is the reason. Programs import it before anything else. */
export const stopRequested: AbortSignal = controller.signal;
