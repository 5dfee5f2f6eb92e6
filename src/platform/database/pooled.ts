import type pg from 'pg';

/** A pooler tells a number of its own as that of the backend; through it, notifications do not arrive. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}
