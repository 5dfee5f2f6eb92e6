/**
 * A file of this build is gone: the server was upgraded under the open tab. The page is loaded once more; the mark in
 * the history's state prevents a loop. Returns false if that was tried before.
 */
export function reloadOnce(): boolean {
  const state = (history.state ?? {}) as Record<string, unknown>;
  if (state.reloadedForUpdate === true) return false;
  history.replaceState({ ...state, reloadedForUpdate: true }, '');
  location.reload();
  return true;
}

/** Vite fires this when a chunk or its style sheet cannot be loaded. */
export function watchForUpdates(): void {
  addEventListener('vite:preloadError', (event) => {
    if (reloadOnce()) event.preventDefault();
  });
}

/** What an import of a page fails with when its file is gone for good, or the server is. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded.', { cause });
  }
}
