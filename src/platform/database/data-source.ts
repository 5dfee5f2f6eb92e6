import pg from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import { BoundedClient } from './connections/bounded-client.js';
import { configureConnection, type Settings, unbounded } from './connections/connection-settings.js';
import { migrations } from './migrations/index.js';

// bigint columns hold micros and counters far below 2^53; as strings they would be concatenated instead of added.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Also limits the wait for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Minimum time (ms) before the locks of a vanished process are released. */
const MIN_IDLE_IN_TRANSACTION_MS = 10_000;
/** Interval at which the server checks that the client of a running statement is still connected. */
const CHECK_CONNECTION = '5s';

/** For every PostgreSQL connection: the operating system detects a lost host within half a minute. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Frees server connections of lost hosts within a minute instead of hours. */
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
  /** Time limit (ms) for a statement. Default: none, for migrations and commands. */
  limitMs?: number;
}

/** Maps `appUserId` to the column `app_user_id`. */
class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined): string {
    return customName ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

export function boundedConnections(limitMs: number) {
  return { Client: BoundedClient, limitMs, peers: new Set<BoundedClient>() };
}

/** Between two statements of a transaction, this process is never busy for longer than the statement limit. */
function settingsOf(limitMs: number): Settings {
  return {
    idle_in_transaction_session_timeout: `${Math.max(2 * limitMs, MIN_IDLE_IN_TRANSACTION_MS)}ms`,
    client_connection_check_interval: CHECK_CONNECTION,
    ...lostHosts,
    // Citus: only polls read all shards, and they would open and close many connections to each worker several times a second.
    'citus.max_adaptive_executor_pool_size': '1',
  };
}

export function dataSourceOptions({ url, poolSize, limitMs }: DataSourceSettings): PostgresOptions {
  const settings = limitMs === undefined ? unbounded : settingsOf(limitMs);
  const ofServer = limitMs === undefined ? {} : boundedConnections(limitMs);
  return {
    type: 'postgres',
    url,
    poolSize,
    migrations,
    migrationsTableName: 'migrations',
    namingStrategy: new SnakeCaseColumns(),
    synchronize: false,
    logging: false,
    applicationName: 'tenure',
    connectTimeoutMS: Math.min(limitMs ?? CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS),
    extra: {
      // Statements that one transaction starts together are sent together.
      pipeline: true,
      idleTimeoutMillis: 60_000,
      onConnect: (client: pg.ClientBase) => configureConnection(client, settings),
      ...keptAlive,
      ...ofServer,
    },
  };
}
