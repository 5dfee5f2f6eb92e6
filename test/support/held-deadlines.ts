/** Deadlines of some length, which pass when a test says so instead of by themselves. */
export interface HeldDeadlines {
  /** All that began so far are over. */
  pass(): void;
  /** Nothing is held any more, and all that was is over. */
  restore(): void;
}

/** Holds what `AbortSignal.timeout` is asked for with just this time (ms). */
export function holdDeadlines(ofMs: number): HeldDeadlines {
  const original = AbortSignal.timeout.bind(AbortSignal);
  const held: AbortController[] = [];
  AbortSignal.timeout = (ms) => {
    if (ms !== ofMs) return original(ms);
    const controller = new AbortController();
    held.push(controller);
    return controller.signal;
  };
  const pass = (): void => {
    for (const controller of held.splice(0)) controller.abort(new DOMException('over', 'TimeoutError'));
  };
  return {
    pass,
    restore() {
      AbortSignal.timeout = original;
      pass();
    },
  };
}
