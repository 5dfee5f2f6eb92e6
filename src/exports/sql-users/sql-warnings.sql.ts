import { statement } from '../../platform/database/statement.js';

export const serverState = statement(
  'sql_roles.server_state',
  `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
     EXISTS (SELECT 1 FROM pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) x
       WHERE n.nspname = 'public' AND x.grantee = 0 AND x.privilege_type = 'CREATE') AS "publicMayCreate",
     has_database_privilege('public', current_database(), 'TEMPORARY') AS "publicMayUseTemporary",
     has_database_privilege('public', current_database(), 'CONNECT') AS "publicMayConnect",
     EXISTS (SELECT 1 FROM pg_proc p WHERE p.proname = 'pg_stat_statements_reset'
       AND has_function_privilege('public', p.oid, 'EXECUTE')) AS "publicMayResetStatistics",
     ARRAY(SELECT e.extname::text FROM pg_extension e WHERE e.extname IN ('dblink', 'file_fdw', 'postgres_fdw')
       ORDER BY 1) AS extensions,
     ARRAY(SELECT l.lanname::text FROM pg_language l WHERE NOT l.lanpltrusted AND l.lanname NOT IN ('internal', 'c')
       ORDER BY 1) AS languages,
     ARRAY(SELECT DISTINCT quote_ident(pg_get_userbyid(m.member)) FROM pg_auth_members m
       JOIN pg_roles r ON r.oid = m.roleid
       JOIN sql_users u ON u.role_name = r.rolname
       WHERE pg_get_userbyid(m.member) <> current_user ORDER BY 1) AS members`,
);

/** Whether the settings of PostgreSQL may be read; by default only superusers may. */
export const mayReadRules = statement(
  'sql_roles.may_read_rules',
  `SELECT has_function_privilege('pg_hba_file_rules()', 'EXECUTE') AS "mayRead"`,
);

/** Lines of pg_hba.conf that let a role in without a password. */
export const openRules = statement(
  'sql_roles.open_rules',
  `SELECT h.line_number AS line FROM pg_hba_file_rules() h
   WHERE h.auth_method = 'trust' AND h.user_name && ARRAY['all', $1::text]
     AND h.database && ARRAY['all', current_database()::text]
   ORDER BY 1`,
);
