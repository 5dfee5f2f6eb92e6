import type { DataSource } from 'typeorm';
import { type SqlServerState, sqlWarnings } from '../../exports/sql-users/sql-warnings.policy.js';
import { mayReadRules, openRules, serverState } from '../../exports/sql-users/sql-warnings.sql.js';
import type { Config } from '../../platform/config/config.js';
import { type Finding, finding } from './finding.js';

/** Roles that may use the views but have no user: they see no rows. A restored backup leaves them. */
const WITHOUT_USER = `SELECT r.rolname::text AS role FROM pg_roles r
  WHERE r.rolname ~ '^tenure_sql_' AND has_schema_privilege(r.oid, 'tenure_v1', 'USAGE')
    AND NOT EXISTS (SELECT 1 FROM sql_users u WHERE u.role_name = r.rolname) ORDER BY 1`;

/** Users without a role: on another server than the one that they were created on. */
const WITHOUT_ROLE = `SELECT u.id FROM sql_users u
  WHERE NOT EXISTS (SELECT 1 FROM pg_roles r WHERE r.rolname = u.role_name) ORDER BY 1`;

async function openLines(dataSource: DataSource): Promise<number[]> {
  const [rights] = await dataSource.query<{ mayRead: boolean }[]>(mayReadRules.text);
  if (!rights?.mayRead) return [];
  // No line names a role that does not exist, so only those for all roles are found.
  const lines = await dataSource.query<{ line: number }[]>(openRules.text, ['tenure_sql_']);
  return lines.map(({ line }) => line);
}

/** Finds nothing on a server without SQL access and SQL users. */
export async function examineSqlAccess(dataSource: DataSource, { sqlAccess }: Config): Promise<Finding[]> {
  const [count] = await dataSource.query<{ users: number }[]>('SELECT count(*)::int AS users FROM sql_users');
  const users = count?.users ?? 0;
  const roles = await dataSource.query<{ role: string }[]>(WITHOUT_USER);
  const findings = roles.map(({ role }) =>
    finding(
      'warning',
      `The role ${role} belongs to no SQL user and sees no rows: DROP OWNED BY ${role}; DROP ROLE ${role}`,
    ),
  );
  if (sqlAccess === 'off' && users === 0) return findings;
  for (const { id } of await dataSource.query<{ id: string }[]>(WITHOUT_ROLE))
    findings.push(
      finding('warning', `The SQL user ${id} has no role on this server: run "tenure sql-user rotate ${id}"`),
    );
  const [state] = await dataSource.query<SqlServerState[]>(serverState.text);
  if (state) {
    const lines = await openLines(dataSource);
    const warnings = sqlWarnings(state, { isPrimary: sqlAccess === 'primary', openLines: lines });
    findings.push(...warnings.map((text) => finding('warning', text)));
  }
  return findings.length > 0
    ? findings
    : [finding('ok', `SQL users: ${users}, each sees its own project only`)];
}
