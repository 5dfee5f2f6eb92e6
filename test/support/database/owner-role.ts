import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runMigrations } from '../../../src/platform/database/schema/migrate.js';
import { createTestDatabase } from './index.js';

/** A role that owns its database without being a superuser, as in managed installations. */
export interface OwnerRole {
  name: string;
  url: string;
  /** A superuser, connected to the database. */
  admin: pg.Client;
  drop(): Promise<void>;
}

/** The role has migrated the database, so that it owns all tables and views. */
export async function createOwnerRole(privilege: 'CREATEROLE' | 'NOCREATEROLE'): Promise<OwnerRole> {
  const database = await createTestDatabase({ migrated: false });
  const name = `owner_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}' NOSUPERUSER ${privilege}`);
  await admin.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${name}`);
  const url = new URL(database.url);
  url.username = name;
  url.password = name;
  await runMigrations(url.toString());
  return {
    name,
    url: url.toString(),
    admin,
    async drop() {
      await admin.end();
      await database.drop();
      const server = new pg.Client({ connectionString: process.env.TEST_ADMIN_DATABASE_URL });
      await server.connect();
      await server.query(`DROP ROLE ${name}`);
      await server.end();
    },
  };
}
