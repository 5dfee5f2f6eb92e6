import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';

/** The only ways out of the server; both refuse addresses that are not allowed. */
export interface Connections {
  dispatcher: Dispatcher;
  connectSocket(host: string, port: number): Promise<Socket>;
  /** The reason if an error of these connections is a refused address, else null. */
  refusalOf(error: unknown): string | null;
}

export interface FileStoreEnvironment {
  connections: Connections;
  /** Folder of the `local` store for all projects; null if the server has none. */
  exportDirectory: string | null;
  projectId: string;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 to 1 for the jitter of retries. */
  random(): number;
  /** Pauses before the retries of a request; [] for none. */
  retryDelaysMs?: readonly number[];
  /** A connection without a byte for this long has failed. */
  idleMs?: number;
}
