import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { standBack } from '../os-scheduler/stand-back.js';

/** Of `pg`, without types. */
type Connected = pg.ClientBase & { processID: number; connection: { stream: Socket } };

/** What PostgreSQL calls the process behind a connection: `postgres: <user> <database> <address>(<port>) <state>`. */
async function titleOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

/**
 * Has the process of PostgreSQL behind a connection stand back for others: only the system that it runs on can do it.
 * Does nothing where that is another machine's or container's, or another user's process, nor through a socket file or
 * a pooler.
 */
export async function lowerBackendPriority(client: pg.ClientBase, niceness: number): Promise<void> {
  const { processID, connection } = client as Connected;
  const { localAddress, localPort, remoteAddress } = connection.stream;
  if (localAddress === undefined || localAddress !== remoteAddress) return;
  const title = await titleOf(processID);
  // Numbers of processes are only one machine's, and a pooler makes some up: the port is this connection's alone.
  if (!title.startsWith('postgres: ') || !title.includes(`(${localPort})`)) return;
  try {
    standBack(processID, niceness);
  } catch {
    // Another user's, or gone.
  }
}
