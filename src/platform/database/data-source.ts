import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { BoundedClient } from './bounded-client.js';
import { configureConnection, type Settings, unbounded } from './connection-settings.js';
import { migrations } from './migrations/index.js';

// bigint columns hold micros and counters far below 2^53; as text they would be added as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Also for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Least time (ms) for which the locks of a process that is gone without a word are held. */
const MIN_IDLE_IN_TRANSACTION_MS = 10_000;
/** How soon the server ends a statement whose asker has gone. */
const CHECK_CONNECTION = '5s';

/** Of every connection to PostgreSQL: the system finds out (within half a minute) when the host at its end is gone. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Places on the server that processes of a lost host hold: given back within a minute, not after hours. */
export const lostHosts: Settings = {
  tcp_keepalives_idle: '30s',
  tcp_keepalives_interval: '10s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '60s',
};

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

/** Between two statements of a transaction this process does nothing that takes as long as an answer may. */
function settingsOf(limitMs: number): Settings {
  return {
    idle_in_transaction_session_timeout: `${Math.max(2 * limitMs, MIN_IDLE_IN_TRANSACTION_MS)}ms`,
    client_connection_check_interval: CHECK_CONNECTION,
    ...lostHosts,
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
