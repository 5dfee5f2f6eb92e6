import { once } from 'node:events';
import { stdout } from 'node:process';

let failure: NodeJS.ErrnoException | null = null;
// `written` and the end of the command report write errors; without a listener they would print a stack trace.
stdout.on('error', (error) => {
  failure ??= error;
});

export function outputFailure(): NodeJS.ErrnoException | null {
  return failure;
}

/** True if the reader closed the pipe (`tenure export | head`). */
export function isReaderGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
}

/** Writes at the reader's speed. @throws the error that prevents output */
export async function written(text: string | Buffer): Promise<void> {
  if (failure) throw failure;
  if (!stdout.write(text)) await once(stdout, 'drain');
}
