import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { BoundedClient } from './bounded-client.js';
import { migrations } from './migrations/index.js';

// bigint columns hold micros and counters far below 2^53; as text they would be added as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Also for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Least time (ms) for which the locks of a process that is gone without a word are held. */
const MIN_IDLE_IN_TRANSACTION_MS = 10_000;
/** How soon the server ends a statement whose asker has gone. */
const CHECK_CONNECTION = '5s';
/** What this version of PostgreSQL knows, where it can do it; of a connection only when it is not a pooler's. */
const CONFIGURE = `SELECT set_config(s.name, s.value, $2) FROM json_each_text($1::json) AS s (name, value)
  WHERE current_setting(s.name, true) IS NOT NULL AND (s.name <> 'client_connection_check_interval' OR version() ~ 'linux')
    AND ($2 OR pg_backend_pid() = $3)`;

/** Of migrations and commands, which take as long as they take, whatever is set for their role. */
export const unbounded = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

type Settings = Readonly<Record<string, string>>;

/** Of every connection to PostgreSQL: the system finds out (within half a minute) when the host at its end is gone. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export interface DataSourceSettings {
  url: string;
  poolSize: number;
  /** Most time (ms) that the answer to a statement may take. Default: any, for migrations and commands. */
  limitMs?: number;
}

/** What a pool makes connections of that do not wait for a silent server. */
export function boundedConnections(limitMs: number) {
  return { Client: BoundedClient, limitMs, peers: new Set<BoundedClient>() };
}

/** Sets settings for the open transaction. */
export async function configureTransaction(
  connection: { query(text: string, values: unknown[]): Promise<unknown> },
  settings: Settings,
): Promise<void> {
  await connection.query(CONFIGURE, [JSON.stringify(settings), true, 0]);
}

/** Sets settings for a connection, unless it leads through a pooler: whose connections are everybody's. */
export async function configureConnection(client: pg.ClientBase, settings: Settings): Promise<void> {
  const { processID } = client as pg.ClientBase & { processID: number };
  await client.query(CONFIGURE, [JSON.stringify(settings), false, processID]);
}

/** Between two statements of a transaction this process does nothing that takes as long as an answer may. */
function settingsOf(limitMs: number): Settings {
  return {
    idle_in_transaction_session_timeout: `${Math.max(2 * limitMs, MIN_IDLE_IN_TRANSACTION_MS)}ms`,
    client_connection_check_interval: CHECK_CONNECTION,
  };
}

/** Options of the one TypeORM data source. The schema only changes through migrations. */
export function dataSourceOptions({ url, poolSize, limitMs }: DataSourceSettings): PostgresOptions {
  const settings = limitMs === undefined ? unbounded : settingsOf(limitMs);
  const ofServer = limitMs === undefined ? {} : boundedConnections(limitMs);
  return {
    type: 'postgres',
    url,
    poolSize,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    applicationName: 'tenure',
    connectTimeoutMS: Math.min(limitMs ?? CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS),
    extra: {
      idleTimeoutMillis: 60_000,
      onConnect: (client: pg.ClientBase) => configureConnection(client, settings),
      ...keptAlive,
      ...ofServer,
    },
  };
}
