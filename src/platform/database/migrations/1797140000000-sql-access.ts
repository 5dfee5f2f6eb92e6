import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createViews } from './sql-access/views.sql.js';

/** Database users that see the views of one project. */
const tables = `
CREATE TABLE sql_users (
  role_name text NOT NULL PRIMARY KEY CHECK (role_name ~ '^tenure_sql_[a-z2-7]{16}$'),
  project_id text NOT NULL REFERENCES projects (id),
  id text NOT NULL,
  name text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  last_seen_at timestamptz(3),
  blocked_at timestamptz(3),
  UNIQUE (project_id, id)
);

CREATE TABLE sql_role_drops (
  role_name text NOT NULL PRIMARY KEY,
  due_at timestamptz(3) NOT NULL
);

CREATE TABLE sql_session_ends (
  role_name text NOT NULL,
  started_at timestamptz(6) NOT NULL,
  pid integer NOT NULL,
  reason text NOT NULL,
  ended_at timestamptz(3) NOT NULL,
  PRIMARY KEY (role_name, started_at, pid)
);
CREATE INDEX sql_session_ends_by_time ON sql_session_ends (ended_at);
`;

/** However a user goes, its role is dropped, and a deleted project has no user from the same transaction on. */
const triggers = `
CREATE FUNCTION drop_sql_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sql_role_drops (role_name, due_at) VALUES (OLD.role_name, clock_timestamp())
  ON CONFLICT (role_name) DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER sql_users_dropped AFTER DELETE ON sql_users
  FOR EACH ROW
  EXECUTE FUNCTION drop_sql_role();

CREATE FUNCTION delete_sql_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sql_users WHERE project_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER projects_delete_sql_users AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION delete_sql_users();
`;

export class SqlAccess1797140000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tables);
    await queryRunner.query(triggers);
    await queryRunner.query(createViews);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
