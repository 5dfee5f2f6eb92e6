import type { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { type Pooler, poolerBefore } from './pooler.js';
import { type Finding, finding } from './finding.js';

/** Connections of a process outside its pool, directly to PostgreSQL: notifications, migrations. */
const BESIDE_POOL = 3;

/**
 * -1 means no limit. Superusers are exempt from limits of a database or role. `reserved_connections`: PostgreSQL 16.
 */
const LIMITS = `WITH clients AS (
    SELECT datname, usename FROM pg_stat_activity WHERE backend_type = 'client backend'
  ), me AS (
    SELECT r.rolname, r.rolconnlimit, d.datname, d.datconnlimit, r.rolsuper FROM pg_roles r, pg_database d
    WHERE r.rolname = current_user AND d.datname = current_database()
  )
  SELECT 'server' AS of, '' AS name,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS allowed,
    (SELECT count(*)::int FROM clients) AS used
  UNION ALL SELECT 'database', quote_ident(datname), datconnlimit,
    (SELECT count(*)::int FROM clients WHERE clients.datname = me.datname) FROM me
    WHERE datconnlimit >= 0 AND NOT rolsuper
  UNION ALL SELECT 'role', quote_ident(rolname), rolconnlimit,
    (SELECT count(*)::int FROM clients WHERE usename = me.rolname) FROM me
    WHERE rolconnlimit >= 0 AND NOT rolsuper`;

interface Limit {
  of: 'server' | 'database' | 'role';
  name: string;
  allowed: number;
  used: number;
}

const pool = settings.databasePoolSize.variable;

const remedies = {
  server: () => `raise max_connections or lower ${pool}`,
  database: ({ name }: Limit) => `ALTER DATABASE ${name} CONNECTION LIMIT -1, or lower ${pool}`,
  role: ({ name }: Limit) => `ALTER ROLE ${name} CONNECTION LIMIT -1, or lower ${pool}`,
};

/** Connections that the configured pools open on PostgreSQL; null if a pooler with unknown limits decides. */
export function poolConnections(
  { databasePoolSize, processes }: Config,
  pooler: Pooler | null,
): number | null {
  return pooler === null ? databasePoolSize * processes : pooler.connections;
}

/** Includes those outside the pools. */
function allConnections(config: Config, pooler: Pooler | null): number | null {
  const pools = poolConnections(config, pooler);
  return pools === null ? null : pools + BESIDE_POOL * config.processes;
}

function opened(config: Config, pooler: Pooler | null, allowed: number): string {
  const needed = allConnections(config, pooler);
  if (pooler === null) {
    const each = config.databasePoolSize + BESIDE_POOL;
    return `a process opens up to ${each}, so ${Math.floor(allowed / each)} processes fit`;
  }
  return needed === null
    ? 'the pooler decides how many servers open: its pool size must be lower'
    : `the pooler opens up to ${pooler.connections}, and each process up to ${BESIDE_POOL} beside it`;
}

function levelOf({ allowed, used }: Limit, needed: number | null, isPooled: boolean): Finding['level'] {
  if ((needed ?? used) > allowed) return 'failure';
  // Connections of a pooler are already counted as used.
  return !isPooled && (needed ?? 0) > allowed - used ? 'warning' : 'ok';
}

export async function examineConnections(dataSource: DataSource, config: Config): Promise<Finding[]> {
  const limits = await dataSource.query<Limit[]>(LIMITS);
  const pooler = await poolerBefore(config);
  const needed = allConnections(config, pooler);
  const findings = limits.map((limit) => {
    const { of, name, allowed, used } = limit;
    const level = levelOf(limit, needed, pooler !== null);
    const which = of === 'server' ? '' : ` of the ${of} ${name}`;
    const text = `${used} of ${allowed} connections${which} are in use; ${opened(config, pooler, allowed)}`;
    return finding(level, level === 'ok' ? text : `${text}: ${remedies[of](limit)}`);
  });
  return [...findings, ...examineClients(config, pooler)];
}

function examineClients({ databasePoolSize, processes }: Config, pooler: Pooler | null): Finding[] {
  const clients = databasePoolSize * processes;
  const allowed = pooler?.clients ?? Infinity;
  if (clients <= allowed) return [];
  const text = `The pooler takes ${allowed} clients, and ${processes} processes open up to ${clients}`;
  return [finding('failure', `${text}: raise max_client_conn or lower ${pool}`)];
}
