import cluster from 'node:cluster';

/* Communication between the primary process and its workers: roles by environment variables, failures by messages. */

/** Set for the worker that prints the server's URL. */
export const ANNOUNCES = 'TENURE_ANNOUNCES';
/** Set for the worker that only responds until the others listen. */
export const ANSWERS_WHILE_STARTING = 'TENURE_ANSWERS_WHILE_STARTING';

/** Sent by a worker that cannot start; a message for the operator. */
interface StartFailure {
  startFailure: string;
}

export function isStartFailure(message: unknown): message is StartFailure {
  return typeof (message as StartFailure | null)?.startFailure === 'string';
}

/** Prints why the server does not start, once however many processes fail. */
export async function sayStartFailure(failure: string): Promise<void> {
  if (!cluster.isWorker) process.stderr.write(`${failure}\n`);
  else
    await new Promise((resolve) => process.send?.({ startFailure: failure } satisfies StartFailure, resolve));
}
