/** Runs `work` when the page is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: 3000 });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(work, 1000);
  return () => clearTimeout(id);
}
