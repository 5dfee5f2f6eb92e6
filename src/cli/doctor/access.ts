import type { DataSource } from 'typeorm';
import { settings } from '../../platform/config/config.schema.js';
import { sqlState } from '../../platform/database/database-errors.js';
import { DISK_PROBE } from '../../platform/database/disk-probe.js';
import {
  ownTables,
  TABLE_PRIVILEGES,
  type TablePrivileges,
} from '../../platform/database/schema/own-tables.js';
import { partitionedTables } from '../../platform/partitions/partitioned-tables.js';
import { type Finding, finding } from './finding.js';

const SHOWN = 20;
const PRIVILEGES = 'SELECT, INSERT, UPDATE, DELETE';

const IDENTITY = `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
  pg_is_in_recovery() AS "isReplica", has_schema_privilege('public', 'USAGE') AS "mayUseSchema"`;

interface Identity {
  role: string;
  database: string;
  isReplica: boolean;
  mayUseSchema: boolean;
}

/** Settings of this connection that disable writes, triggers or foreign keys. */
const WRONG_SETTINGS = `SELECT name, setting, source FROM pg_settings
  WHERE name = 'default_transaction_read_only' AND setting = 'on'
    OR name = 'session_replication_role' AND setting <> 'origin' ORDER BY name`;

interface WrongSetting {
  name: string;
  setting: string;
  source: string;
}

/** Returns the statement that reverts a setting at its source. */
function remedyOf({ name, source }: WrongSetting, { role, database }: Identity): string {
  switch (source) {
    case 'database':
      return `ALTER DATABASE ${database} RESET ${name}`;
    case 'user':
      return `ALTER ROLE ${role} RESET ${name}`;
    case 'database user':
      return `ALTER ROLE ${role} IN DATABASE ${database} RESET ${name}`;
    case 'client':
      return `take it out of ${settings.databaseUrl.variable}`;
    case 'configuration file':
      return `ALTER SYSTEM RESET ${name}; SELECT pg_reload_conf(), or take it out of postgresql.conf`;
    default:
      return `set by "${source}" of the server`;
  }
}

async function identityOf(dataSource: DataSource): Promise<Identity> {
  const [identity] = await dataSource.query<Identity[]>(IDENTITY);
  if (!identity) throw new Error('the database did not answer');
  return identity;
}

const effects: Record<string, string> = {
  default_transaction_read_only: 'nothing can be written',
  session_replication_role: 'no trigger and no foreign key works',
};

export async function examineWrites(dataSource: DataSource): Promise<Finding[]> {
  const identity = await identityOf(dataSource);
  const { variable } = settings.databaseUrl;
  if (identity.isReplica)
    return [
      finding('failure', `${variable} leads to a read replica, which takes no writes: set it to the primary`),
    ];
  const wrong = await dataSource.query<WrongSetting[]>(WRONG_SETTINGS);
  if (wrong.length === 0) return [finding('ok', 'The database accepts writes')];
  return wrong.map((row) =>
    finding(
      'failure',
      `${row.name} is ${row.setting}, so ${effects[row.name]}: ${remedyOf(row, identity)}; then restart the servers`,
    ),
  );
}

export async function examinePrivileges(dataSource: DataSource): Promise<Finding[]> {
  const { role, mayUseSchema } = await identityOf(dataSource);
  if (!mayUseSchema)
    return [
      finding('failure', `${role} may not use the schema public: GRANT USAGE ON SCHEMA public TO ${role}`),
    ];
  const rows = await dataSource.query<TablePrivileges[]>(TABLE_PRIVILEGES, [ownTables]);
  if (rows.length === 0) return [];
  const closed = rows.filter(({ mayRead, mayWrite }) => !mayRead || !mayWrite);
  if (closed.length === 0) return [finding('ok', `${role} may read and write every table`)];
  const findings = closed.slice(0, SHOWN).map(({ table, mayRead }) => {
    const refused = mayRead ? 'write' : 'read';
    return finding(
      'failure',
      `${role} may not ${refused} ${table}: GRANT ${PRIVILEGES} ON ${table} TO ${role}`,
    );
  });
  if (closed.length <= SHOWN) return findings;
  const rest = `${closed.length - SHOWN} more tables: GRANT ${PRIVILEGES} ON ALL TABLES IN SCHEMA public TO ${role}`;
  return [...findings, finding('failure', `${role} may not read or write ${rest}`)];
}

/** Only an owner can attach and drop partitions, which servers do every month. */
export async function examineOwner(dataSource: DataSource): Promise<Finding[]> {
  const names = partitionedTables.map(({ name }) => name);
  const [row] = await dataSource.query<{ role: string; tables: string[] }[]>(
    `SELECT quote_ident(current_user) AS role, ARRAY(SELECT c.relname::text FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
         AND NOT pg_has_role(c.relowner, 'USAGE') ORDER BY c.relname) AS tables`,
    [names],
  );
  if (!row || row.tables.length === 0) return [];
  return [
    finding(
      'warning',
      `${row.role} does not own ${row.tables.join(', ')}: servers cannot make the partitions of later months; ` +
        'GRANT the role that owns them to it',
    ),
  ];
}

/** Writes a megabyte to the disk and frees it, because SQL cannot query free space. */
export async function examineDisk(dataSource: DataSource): Promise<Finding[]> {
  try {
    await dataSource.transaction(async (manager) => {
      for (const command of DISK_PROBE) await manager.query(command);
    });
    return [finding('ok', 'The disk of the database has room for at least another megabyte')];
  } catch (error) {
    const state = sqlState(error);
    // The check of writes reports it.
    if (state === '25006') return [];
    if (state === '53100')
      return [
        finding(
          'failure',
          'The disk of the database is full: free some space or enlarge it; writes then work again without a restart',
        ),
      ];
    if (state !== '42501') throw error;
    const { role, database } = await identityOf(dataSource);
    const remedy = `GRANT TEMPORARY ON DATABASE ${database} TO ${role}`;
    return [finding('warning', `Whether the disk of the database is full cannot be found out: ${remedy}`)];
  }
}
