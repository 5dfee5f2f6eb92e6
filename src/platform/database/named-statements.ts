import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { BoundedClient } from './bounded-client.js';
import { hasLostName } from './database-errors.js';
import { isPooled } from './pooled.js';

/** Limit for a pooler without a free connection. */
const ANSWER_WITHIN_MS = 3_000;
/** Other clients of the pooler can make one round inconclusive. */
const ROUNDS = 5;

type Asker = Pick<pg.ClientBase, 'query'>;

/** `direct`: no pooler; `unknown`: the pooler did not answer in time. */
export type NamedStatements = 'direct' | 'kept' | 'lost' | 'unknown';

async function backendOf(client: Asker, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>({ name, text: 'SELECT pg_backend_pid() AS pid' });
  return rows[0]?.pid;
}

/**
 * Whether a pooler lets every client find its own named statements. The second client holds a backend, so the
 * first one's next transaction gets another one. A pooler that only passes statements on then has the name twice
 * on one backend, or not at all. Session pooling keeps one backend per client, and so the names.
 */
export async function keepsNamedStatements(first: Asker, second: Asker): Promise<boolean> {
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `tenure_probe_${randomBytes(8).toString('hex')}`;
      const before = await backendOf(first, name);
      await second.query('BEGIN');
      const held = await backendOf(second, name);
      const after = held === before ? held : await backendOf(first, name);
      await second.query('ROLLBACK');
      if (held === before || after !== before) return true;
    }
    return true;
  } catch (error) {
    if (hasLostName(error)) return false;
    throw error;
  }
}

/** How named statements fare on the way to a database. @throws if it cannot be reached */
export async function examineNamedStatements(url: string): Promise<NamedStatements> {
  const connection = (): pg.Client =>
    new BoundedClient({
      connectionString: url,
      application_name: 'tenure',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      limitMs: ANSWER_WITHIN_MS,
    });
  const [first, second] = [connection(), connection()];
  let isThroughPooler = false;
  try {
    await first.connect();
    isThroughPooler = await isPooled(first);
    if (!isThroughPooler) return 'direct';
    await second.connect();
    return (await keepsNamedStatements(first, second)) ? 'kept' : 'lost';
  } catch (error) {
    if (isThroughPooler) return 'unknown';
    throw error;
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
  }
}
