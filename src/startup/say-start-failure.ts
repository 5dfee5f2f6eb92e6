import cluster from 'node:cluster';

/** Sent by a worker that cannot start, readable for people. */
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
