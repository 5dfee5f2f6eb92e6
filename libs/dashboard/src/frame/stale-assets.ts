/** What an import of a page fails with. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded.', { cause });
  }
}

const missing = new WeakSet<Error>();

/** Vite fires this when a chunk or its style sheet cannot be loaded. */
export function watchForMissingFiles(): void {
  addEventListener('vite:preloadError', (event) => void missing.add(event.payload));
}

/** Whether a file of this build did not come: the server is gone, or was upgraded under the open tab. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof PageNotLoaded || (error instanceof Error && missing.has(error));

export const serverAnswers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Without an answer the page stays: the browser would put its own error in the place of everything. */
export async function reloadIfAnswered(): Promise<boolean> {
  const answers = await serverAnswers();
  if (answers) location.reload();
  return answers;
}

let isReloading = false;

/**
 * Loads the page with the files of the build that is there now, once: the mark in the state of the history prevents a
 * loop.
 */
export async function reloadOnce(): Promise<'reloading' | 'updated' | 'unreachable'> {
  const state = (history.state ?? {}) as Record<string, unknown>;
  if (state.reloadedForUpdate === true) return (await serverAnswers()) ? 'updated' : 'unreachable';
  if (!(await serverAnswers())) return 'unreachable';
  // React may draw the error twice.
  if (isReloading) return 'reloading';
  isReloading = true;
  history.replaceState({ ...state, reloadedForUpdate: true }, '');
  location.reload();
  return 'reloading';
}
