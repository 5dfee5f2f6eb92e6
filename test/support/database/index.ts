import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { cloneOnNodes, createOnNodes, dropOnNodes } from '../../citus/databases.mjs';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

function adminUrl(): string {
  const url = process.env.TEST_ADMIN_DATABASE_URL;
  if (!url)
    throw new Error('The suite runs without its global setup (test/support/database/global-setup.mjs)');
  return url;
}

async function admin(sql: string, url = adminUrl()): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Roles belong to the whole server, so they would outlive the database. */
const DROP_ROLES = `DO $$
DECLARE role_name text;
BEGIN
  IF to_regclass('sql_users') IS NULL THEN RETURN; END IF;
  FOR role_name IN
    SELECT r.rolname FROM pg_roles r
    WHERE r.rolname IN (SELECT u.role_name FROM sql_users u UNION SELECT d.role_name FROM sql_role_drops d)
  LOOP
    EXECUTE format('DROP OWNED BY %1$I; DROP ROLE %1$I', role_name);
  END LOOP;
END
$$`;

/** A migrated database without rows, a clone of the run's template; or one without tables. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const nodes = process.env.TEST_CITUS_NODES?.split(',');
  if (nodes) await (migrated ? cloneOnNodes(nodes, 'template_tenure', name) : createOnNodes(nodes, name));
  else
    await admin(
      `CREATE DATABASE ${name} TEMPLATE ${migrated ? 'template_tenure STRATEGY FILE_COPY' : 'template0'}`,
    );
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    async drop() {
      await admin(DROP_ROLES, url.toString());
      await (nodes ? dropOnNodes(nodes, name) : admin(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Connection of a server to a database: direct, or through the pooler of the run (`npm run test:pooler`). */
export function databaseSettings(url: string): NodeJS.ProcessEnv {
  const port = process.env.TEST_POOLER_PORT;
  if (!port) return { DATABASE_URL: url };
  const pooled = new URL(url);
  pooled.port = port;
  return {
    DATABASE_URL: pooled.toString(),
    SERVICE_DATABASE_DIRECT_URL: url,
    SERVICE_DATABASE_NAMED_STATEMENTS: 'false',
  };
}
