import type pg from 'pg';

export type Settings = Readonly<Record<string, string>>;

/** Sets what this PostgreSQL version knows; session settings only if the connection is not a pooler's. */
const CONFIGURE = `SELECT set_config(s.name, s.value, $2) FROM json_each_text($1::json) AS s (name, value)
  WHERE current_setting(s.name, true) IS NOT NULL AND (s.name <> 'client_connection_check_interval' OR version() ~ 'linux')
    AND ($2 OR pg_backend_pid() = $3)`;

/** For migrations and commands, which take as long as they need whatever limits their role has. */
export const unbounded = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

export async function configureTransaction(
  connection: { query(text: string, values: unknown[]): Promise<unknown> },
  settings: Settings,
): Promise<void> {
  await connection.query(CONFIGURE, [JSON.stringify(settings), true, 0]);
}

/** Sets settings for a connection, except through a pooler, whose connections are shared. */
export async function configureConnection(client: pg.ClientBase, settings: Settings): Promise<void> {
  const { processID } = client as pg.ClientBase & { processID: number };
  await client.query(CONFIGURE, [JSON.stringify(settings), false, processID]);
}
