import { statement } from '../../platform/database/statement.js';
import { deletionOf } from '../../platform/jobs/batches.js';

const MAX_CONNECTIONS = 5;

export interface RoleTerms {
  roleName: string;
  verifier: string;
  expiresAt: Date | null;
}

/** Conveniences: a user can change them on the primary. The watch job enforces the limits. */
function defaults(statementSeconds: number): Record<string, string> {
  return {
    search_path: 'tenure_v1',
    default_transaction_read_only: 'on',
    statement_timeout: `'${statementSeconds}s'`,
    idle_in_transaction_session_timeout: "'60s'",
    idle_session_timeout: "'1h'",
    work_mem: "'32MB'",
    jit: 'off',
  };
}

/** Statements on roles take no parameters. @throws Error for text that is not of the expected form */
function checked({ roleName, verifier, expiresAt }: RoleTerms): { role: string; login: string } {
  if (!/^SCRAM-SHA-256\$[\d:A-Za-z+/=$]+$/.test(verifier)) throw new Error('not a SCRAM verifier');
  const until = expiresAt ? expiresAt.toISOString() : 'infinity';
  return { role: roleOf(roleName), login: `LOGIN PASSWORD '${verifier}' VALID UNTIL '${until}'` };
}

export function roleOf(name: string): string {
  if (!/^tenure_sql_[a-z2-7]{16}$/.test(name)) throw new Error('not a role of a SQL user');
  return name;
}

/** `server`: the role of the server, quoted; it must be a member to end the sessions of the user. */
export function createRole(terms: RoleTerms, server: string, statementSeconds: number): string[] {
  const { role, login } = checked(terms);
  return [
    `CREATE ROLE ${role} WITH ${login} NOINHERIT NOCREATEDB NOCREATEROLE NOBYPASSRLS CONNECTION LIMIT ${MAX_CONNECTIONS}`,
    ...Object.entries(defaults(statementSeconds)).map(
      ([name, value]) => `ALTER ROLE ${role} SET ${name} = ${value}`,
    ),
    `GRANT USAGE ON SCHEMA tenure_v1 TO ${role}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA tenure_v1 TO ${role}`,
    `GRANT ${role} TO ${server}`,
  ];
}

export function changePassword(terms: RoleTerms): string {
  const { role, login } = checked(terms);
  return `ALTER ROLE ${role} WITH ${login}`;
}

export function closeRole(name: string): string {
  return `ALTER ROLE ${roleOf(name)} WITH NOLOGIN`;
}

export function dropRole(name: string): string[] {
  return [`DROP OWNED BY ${roleOf(name)}`, `DROP ROLE ${roleOf(name)}`];
}

/** The server's role, quoted, and whether it can create SQL users. */
export const server = statement(
  'sql_roles.server',
  `SELECT quote_ident(r.rolname) AS role, current_database()::text AS database,
     r.rolsuper OR r.rolcreaterole AND pg_has_role(n.nspowner, 'USAGE') AS "canCreateRoles"
   FROM pg_roles r, pg_namespace n WHERE r.rolname = current_user AND n.nspname = 'tenure_v1'`,
);

export const exists = statement(
  'sql_roles.exists',
  'SELECT EXISTS (SELECT 1 FROM pg_roles r WHERE r.rolname = $1) AS exists',
);

/**
 * Sessions of SQL users in this database. Ages in seconds. The start is text, because it identifies a session to the
 * microsecond.
 */
export const SESSIONS = `SELECT a.pid, a.usename::text AS "roleName", a.backend_start::text AS "startedAt",
    CASE WHEN a.state = 'active' THEN extract(epoch FROM clock_timestamp() - a.query_start)::float8 END AS "statementSeconds",
    extract(epoch FROM clock_timestamp() - a.xact_start)::float8 AS "transactionSeconds",
    EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.granted) AS "holdsLock"
  FROM pg_stat_activity a
  WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.usename ~ '^tenure_sql_'
    AND pg_has_role(a.usesysid, 'USAGE')`;

/** The number of a process is used again, so the start must match. */
export const END_SESSION = `SELECT pg_terminate_backend(a.pid) AS ended FROM pg_stat_activity a
  WHERE a.pid = $1 AND a.backend_start = $2::timestamptz`;

export const sessions = statement('sql_roles.sessions', SESSIONS);

export const endSession = statement('sql_roles.end_session', END_SESSION);

export const anyOfProject = statement(
  'sql_users.any_of_project',
  'SELECT u.id FROM sql_users u WHERE u.project_id = $1 LIMIT 1',
);

/** Users of the roles $1. */
export const usersOf = statement(
  'sql_users.of_roles',
  `SELECT u.role_name AS "roleName", u.project_id AS "projectId", u.id, u.name, u.blocked_at IS NOT NULL AS "isBlocked",
     u.expires_at IS NOT NULL AND u.expires_at <= clock_timestamp() AS "isExpired"
   FROM sql_users u WHERE u.role_name = ANY ($1)`,
);

export const seen = statement(
  'sql_users.seen',
  `UPDATE sql_users u SET last_seen_at = date_trunc('minute', $2::timestamptz)
   WHERE u.role_name = ANY ($1) AND (u.last_seen_at IS NULL OR u.last_seen_at < date_trunc('minute', $2::timestamptz))`,
);

/** Returns a row unless another process has recorded the end. */
export const recordEnd = statement(
  'sql_users.record_end',
  `INSERT INTO sql_session_ends (role_name, started_at, pid, reason, ended_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (role_name, started_at, pid) DO NOTHING RETURNING pid`,
);

/** Sessions of role $1 that were ended for holding a lock since $2. */
export const lockEnds = statement(
  'sql_users.lock_ends',
  `SELECT count(*)::int AS count FROM sql_session_ends e
   WHERE e.role_name = $1 AND e.reason = 'lock' AND e.ended_at > $2`,
);

export const deleteOldEnds = deletionOf('sql_users.delete_old_ends', {
  table: 'sql_session_ends',
  key: ['role_name', 'started_at', 'pid'],
  isOld: (row) => `${row}.ended_at <= $1`,
  orderBy: 'ended_at',
});

/** However a user goes, its role is dropped. $2: only this user. */
export const addDrops = statement(
  'sql_users.add_drops',
  `INSERT INTO sql_role_drops (role_name, due_at)
   SELECT u.role_name, statement_timestamp() FROM sql_users u
   WHERE u.project_id = $1 AND ($2::text IS NULL OR u.id = $2)
   ON CONFLICT (role_name) DO NOTHING`,
);

/** Drops that are due, or that of $1. Postpones them, so that another process does not work on them. */
export const claimDrops = statement(
  'sql_users.claim_drops',
  `UPDATE sql_role_drops d SET due_at = statement_timestamp() + interval '1 minute'
   WHERE d.role_name = $1 OR $1::text IS NULL AND d.due_at <= statement_timestamp()
   RETURNING d.role_name AS "roleName"`,
);

export const endDrop = statement('sql_users.end_drop', 'DELETE FROM sql_role_drops d WHERE d.role_name = $1');

/**
 * Locks the project, so that its number of users does not change until the end of the transaction. A deleted project
 * gets no user any more, whose role nothing would drop.
 */
export const lockProject = statement(
  'sql_users.lock_project',
  'SELECT p.id FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL FOR NO KEY UPDATE',
);

export const block = statement(
  'sql_users.block',
  `UPDATE sql_users u SET blocked_at = $2 WHERE u.role_name = $1 AND u.blocked_at IS NULL RETURNING u.id`,
);
