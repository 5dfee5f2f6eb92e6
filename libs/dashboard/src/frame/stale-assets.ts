/** Thrown by a failed import of a page. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('This page could not be loaded.', { cause });
  }
}

const missing = new WeakSet<Error>();

/** Vite fires this event when a chunk or its style sheet cannot be loaded. */
export function watchForMissingFiles(): void {
  addEventListener('vite:preloadError', (event) => void missing.add(event.payload));
}

/** Whether a file of this build is missing: the server is down, or was upgraded while the tab was open. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof PageNotLoaded || (error instanceof Error && missing.has(error));

export const serverAnswers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Reloads only if the server responds, because otherwise the browser would replace the page with its own error. */
export async function reloadIfAnswered(): Promise<boolean> {
  const answers = await serverAnswers();
  if (answers) location.reload();
  return answers;
}

let isReloading = false;

/** Reloads the page once, with the files of the current build. A flag in the history state prevents a loop. */
export async function reloadOnce(): Promise<'reloading' | 'updated' | 'unreachable'> {
  const state = (history.state ?? {}) as Record<string, unknown>;
  if (state.reloadedForUpdate === true) return (await serverAnswers()) ? 'updated' : 'unreachable';
  if (!(await serverAnswers())) return 'unreachable';
  // React may render the error twice.
  if (isReloading) return 'reloading';
  isReloading = true;
  history.replaceState({ ...state, reloadedForUpdate: true }, '');
  location.reload();
  return 'reloading';
}
