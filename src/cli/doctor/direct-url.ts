import type { DataSource } from 'typeorm';
import type { Config } from '../../platform/config/config.js';
import { settings } from '../../platform/config/config.schema.js';
import { isPooled } from '../../platform/database/connections/pooled.js';
import { connectionTo } from './pooler.js';
import { type Finding, finding, reasonOf } from './finding.js';

const SERVER = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
  current_database()::text AS database, pg_is_in_recovery() AS "isInRecovery"`;

interface Server {
  system: string;
  database: string;
  isInRecovery: boolean;
}

/** Explains why a server is not the direct address of the database; null if it is. */
function whyNotDirect(direct: Server, used: Server): string | null {
  const { variable } = settings.databaseUrl;
  if (direct.system !== used.system) return `leads to another server than ${variable}`;
  if (direct.database !== used.database)
    return `leads to another database, ${direct.database}, than ${variable}, ${used.database}`;
  return direct.isInRecovery ? 'leads to a read replica, which cannot be migrated' : null;
}

async function examineDirect(dataSource: DataSource, url: string): Promise<Finding> {
  const name = `${settings.directDatabaseUrl.variable} (${new URL(url).host})`;
  try {
    return await connectionTo(url, async (client) => {
      const { rows } = await client.query<Server>(SERVER);
      const [used] = await dataSource.query<Server[]>(SERVER);
      if (!rows[0] || !used) throw new Error('it did not answer');
      const wrong = whyNotDirect(rows[0], used);
      if (wrong !== null) return finding('failure', `${name} ${wrong}`);
      return (await isPooled(client))
        ? finding('failure', `${name} is a pooler: migrations and notifications need PostgreSQL itself`)
        : finding('ok', `${name} is the same database, without a pooler`);
    });
  } catch (error) {
    return finding('failure', `${name} cannot be used: ${reasonOf(error)}`);
  }
}

/** Checks the direct address of PostgreSQL. Prints only its host: a URL may contain a password. */
export async function examineDirectUrl(dataSource: DataSource, config: Config): Promise<Finding[]> {
  if (config.directDatabaseUrl !== null) return [await examineDirect(dataSource, config.directDatabaseUrl)];
  const used = settings.databaseUrl.variable;
  try {
    if (!(await connectionTo(config.databaseUrl ?? '', isPooled))) return [];
  } catch (error) {
    return [finding('failure', `${used} takes no further connection: ${reasonOf(error)}`)];
  }
  const { variable } = settings.directDatabaseUrl;
  return [finding('warning', `${used} is a pooler and ${variable} is not set: no notifications`)];
}
