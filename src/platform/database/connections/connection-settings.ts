import type pg from 'pg';

export type Settings = Readonly<Record<string, string>>;

/** Applies the settings that this PostgreSQL version supports; session settings only without a pooler. */
const CONFIGURE = `SELECT set_config(s.name, s.value, $2) FROM json_each_text($1::json) AS s (name, value)
  WHERE current_setting(s.name, true) IS NOT NULL AND (s.name <> 'client_connection_check_interval' OR version() ~ 'linux')
    AND ($2 OR pg_backend_pid() = $3)`;

/** For migrations and commands, which may take any amount of time, whatever limits their role has. */
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

/** Configures a connection, unless it is shared by a pooler. */
export async function configureConnection(client: pg.ClientBase, settings: Settings): Promise<void> {
  const { processID } = client as pg.ClientBase & { processID: number };
  await client.query(CONFIGURE, [JSON.stringify(settings), false, processID]);
}
