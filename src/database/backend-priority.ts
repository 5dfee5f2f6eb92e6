import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/** Of `pg`, without types. */
type Connected = pg.ClientBase & { processID: number; connection: { stream: Socket } };

/** What PostgreSQL calls the process behind a connection: `postgres: <user> <database> <address>(<port>) <state>`. */
async function titleOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

/**
 * Gives the process of PostgreSQL behind a connection a niceness: only the system that it runs on can. Does nothing
 * where that is another machine's or container's, or another user's process, nor through a socket file or a pooler.
 */
export async function lowerBackendPriority(client: pg.ClientBase, niceness: number): Promise<void> {
  const { processID, connection } = client as Connected;
  const { localAddress, localPort, remoteAddress } = connection.stream;
  if (localAddress === undefined || localAddress !== remoteAddress) return;
  const title = await titleOf(processID);
  // Numbers of processes are only one machine's, and a pooler makes some up: the port is this connection's alone.
  if (!title.startsWith('postgres: ') || !title.includes(`(${localPort})`)) return;
  try {
    if (getPriority(processID) < niceness) setPriority(processID, niceness);
  } catch {
    // Another user's, or gone.
  }
}
