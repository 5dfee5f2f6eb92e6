import { once } from 'node:events';
import { stdout } from 'node:process';

let failure: NodeJS.ErrnoException | null = null;
// What cannot be written is told by `written` and at the end; unheard, it would be a stack trace.
stdout.on('error', (error) => {
  failure ??= error;
});

/** The error after which nothing more can be written, if there was one. */
export function outputFailure(): NodeJS.ErrnoException | null {
  return failure;
}

/** Whoever read the output has read enough (`tenure export | head`). */
export function isReaderGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
}

/** Writes as fast as somebody reads. @throws the error that keeps from writing */
export async function written(text: string): Promise<void> {
  if (failure) throw failure;
  if (!stdout.write(text)) await once(stdout, 'drain');
}
