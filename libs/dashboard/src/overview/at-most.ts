/** Runs at most `most` functions at a time; the rest wait in order. */
export function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next one uses the slot, or it is free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
