import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Things to be done with a store for an app, each until it is done or for ever; and customers by the hash of an
 * id, as Google Play names them.
 */
export class StoreChores1764430000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE store_chores (
        project_id text NOT NULL,
        app_id text NOT NULL,
        kind text NOT NULL,
        key text NOT NULL,
        detail json NOT NULL,
        mark_at timestamptz(3),
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        lease_until timestamptz(3),
        last_error text,
        PRIMARY KEY (project_id, app_id, kind, key),
        FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX store_chores_queue ON store_chores (project_id, app_id, due_at);

      CREATE FUNCTION app_user_id_hash(app_user_id text) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        AS $$ SELECT encode(sha256(convert_to(app_user_id, 'UTF8')), 'hex') $$;
      CREATE INDEX customer_aliases_by_hash ON customer_aliases (project_id, app_user_id_hash(app_user_id))`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
