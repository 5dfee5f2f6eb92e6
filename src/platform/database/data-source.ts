import pg from 'pg';
import { type DataSourceOptions, DefaultNamingStrategy } from 'typeorm';
import { BoundedClient } from './bounded-client.js';
import { configureConnection, type Settings, unbounded } from './connection-settings.js';
import { migrations } from './migrations/index.js';

// bigint columns hold micros and counters far below 2^53; as text they would be concatenated instead of added.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Also the limit for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Minimum time (ms) before the locks of a process that vanished are released. */
const MIN_IDLE_IN_TRANSACTION_MS = 10_000;
/** How soon the server ends a statement whose client has gone. */
const CHECK_CONNECTION = '5s';

/** For every PostgreSQL connection: the system notices within half a minute that the other host is gone. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Frees the server connections of lost hosts within a minute instead of hours. */
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
  /** Limit (ms) for a statement's response. Default: none, for migrations and commands. */
  limitMs?: number;
}

/** The column of `appUserId` is `app_user_id`. */
class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined): string {
    return customName ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

export function boundedConnections(limitMs: number) {
  return { Client: BoundedClient, limitMs, peers: new Set<BoundedClient>() };
}

/** Between two statements of a transaction this process never does anything longer than the response limit. */
function settingsOf(limitMs: number): Settings {
  return {
    idle_in_transaction_session_timeout: `${Math.max(2 * limitMs, MIN_IDLE_IN_TRANSACTION_MS)}ms`,
    client_connection_check_interval: CHECK_CONNECTION,
    ...lostHosts,
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
      idleTimeoutMillis: 60_000,
      onConnect: (client: pg.ClientBase) => configureConnection(client, settings),
      ...keptAlive,
      ...ofServer,
    },
  };
}
