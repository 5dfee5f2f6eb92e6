import pg from 'pg';
import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { examineNamedStatements } from '../../platform/database/connections/named-statements.js';
import { isPooled } from '../../platform/database/connections/pooled.js';
import { type Finding, finding } from './finding.js';

const CONNECT_TIMEOUT_MS = 5_000;

export async function connectionTo<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  // The next statement reports a broken connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The pooler behind `DATABASE_URL`; null: unknown limit. */
export interface Pooler {
  /** Maximum number of connections to the database. */
  connections: number | null;
  /** Maximum number of client connections. */
  clients: number | null;
}

interface PoolOfDatabase {
  name: string;
  pool_size: number | string;
  reserve_pool?: number | string;
  max_connections: number | string;
}

/** PgBouncer shows its limits only to users of its console. */
async function limitsOf(url: string): Promise<Pooler> {
  const console = new URL(url);
  const database = decodeURIComponent(console.pathname.slice(1));
  console.pathname = '/pgbouncer';
  const ask = async (client: pg.Client): Promise<Pooler> => {
    const { rows: pools } = await client.query<PoolOfDatabase>('SHOW DATABASES');
    const { rows: config } = await client.query<{ key: string; value: string }>('SHOW CONFIG');
    const clients = Number(config.find(({ key }) => key === 'max_client_conn')?.value);
    const pool = pools.find(({ name }) => name === database);
    const size = Number(pool?.pool_size) + Number(pool?.reserve_pool ?? 0);
    const bound = Number(pool?.max_connections) || Infinity;
    return {
      connections: Number.isNaN(size) ? null : Math.min(size, bound),
      clients: Number.isNaN(clients) ? null : clients,
    };
  };
  return connectionTo(console.toString(), ask).catch(() => ({ connections: null, clients: null }));
}

/** Returns null if there is none. @throws if the database cannot be reached */
export async function poolerBefore({ databaseUrl }: Config): Promise<Pooler | null> {
  if (databaseUrl === null || !(await connectionTo(databaseUrl, isPooled))) return null;
  return limitsOf(databaseUrl);
}

/** Whether the pooler supports the named statements that servers are configured to use. */
export async function examinePooler(_: unknown, config: Config): Promise<Finding[]> {
  const { databaseUrl } = settings;
  const { variable } = settings.namedStatements;
  if (config.databaseUrl === null || !config.namedStatements) return [];
  const pooler = `${databaseUrl.variable} is a pooler`;
  const remedy = `set max_prepared_statements = 200 in PgBouncer 1.21 or later, or ${variable}=false`;
  switch (await examineNamedStatements(config.databaseUrl)) {
    case 'direct':
      return [];
    case 'kept':
      return [finding('ok', `${pooler} that keeps named statements`)];
    case 'lost':
      return [
        finding('failure', `${pooler} that does not keep named statements; servers turn them off: ${remedy}`),
      ];
    case 'unknown':
      return [
        finding(
          'warning',
          `${pooler} that did not show in time whether it keeps named statements: ${remedy}`,
        ),
      ];
  }
}
