import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestDatabase } from './index.js';

/** A role that owns nothing and has what the server needs, as hardened installations have it. */
export async function createLimitedRole(database: TestDatabase) {
  const name = `role_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`
    CREATE ROLE ${name} LOGIN PASSWORD '${name}';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
  const url = new URL(database.url);
  url.username = name;
  url.password = name;
  return {
    name,
    url: url.toString(),
    /** Runs a statement as the owner of the tables. */
    sql: (text: string) => admin.query(text),
    async drop() {
      await admin.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
      await admin.end();
    },
  };
}
