import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { BoundedClient } from './bounded-client.js';
import { hasLostName } from '../database-errors.js';
import { isPooled } from './pooled.js';

/** Time limit for a pooler without a free connection. */
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
 * Whether every client of a pooler finds its own named statements. The second client occupies a backend, so the first
 * client's next transaction runs on another one. With a pooler that only forwards statements, one backend then has the
 * name twice or not at all. Session pooling assigns each client one backend, and so preserves names.
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

/** Tests whether named statements work on the path to a database. @throws if it cannot be reached */
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
