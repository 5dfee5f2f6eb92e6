import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeTables } from '../giving-way.js';

const day = (row: string, column: string): string => `(${row}.${column} AT TIME ZONE 'UTC')::date`;

/**
 * How many customers were first and last seen on each UTC day, so that overviews need not count customers. Kept up by
 * triggers, also for servers of the version before.
 */
export class CustomersByDay1764600000500 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE IF NOT EXISTS metric_customer_days (
        project_id text NOT NULL,
        day date NOT NULL,
        first_seen integer NOT NULL,
        last_seen integer NOT NULL,
        PRIMARY KEY (project_id, day)
      ) WITH (fillfactor = 80);
      -- What is still to be added to metric_customer_days: writers of one project must not wait for each other.
      CREATE TABLE IF NOT EXISTS metric_customer_changes (
        project_id text NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        day date NOT NULL,
        first_seen integer NOT NULL,
        last_seen integer NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      CREATE OR REPLACE FUNCTION count_customer_days() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Of a project that is removed as a whole nothing is counted any more.
        IF TG_OP = 'DELETE' AND NOT EXISTS (
          SELECT 1 FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN RETURN NULL; END IF;
        INSERT INTO metric_customer_changes (project_id, day, first_seen, last_seen)
        SELECT coalesce(NEW.project_id, OLD.project_id), d.day, sum(d.first_seen), sum(d.last_seen)
        FROM (VALUES (${day('NEW', 'first_seen_at')}, 1, 0), (${day('NEW', 'last_seen_at')}, 0, 1),
          (${day('OLD', 'first_seen_at')}, -1, 0), (${day('OLD', 'last_seen_at')}, 0, -1)) AS d (day, first_seen, last_seen)
        WHERE d.day IS NOT NULL GROUP BY d.day HAVING sum(d.first_seen) <> 0 OR sum(d.last_seen) <> 0;
        RETURN NULL;
      END $$`);
    await changeTables(
      queryRunner,
      ['customers'],
      `CREATE OR REPLACE TRIGGER customers_counted AFTER INSERT OR DELETE ON customers
         FOR EACH ROW EXECUTE FUNCTION count_customer_days();
       CREATE OR REPLACE TRIGGER customers_recounted AFTER UPDATE OF first_seen_at, last_seen_at ON customers
         FOR EACH ROW WHEN (${day('OLD', 'first_seen_at')} IS DISTINCT FROM ${day('NEW', 'first_seen_at')}
           OR ${day('OLD', 'last_seen_at')} IS DISTINCT FROM ${day('NEW', 'last_seen_at')})
         EXECUTE FUNCTION count_customer_days()`,
    );
    // One statement sees one state of the database: the changes it removes are those it has counted.
    await queryRunner.query(`
      WITH counted AS (DELETE FROM metric_customer_changes)
      INSERT INTO metric_customer_days (project_id, day, first_seen, last_seen)
      SELECT c.project_id, c.day, sum(c.first_seen), sum(c.last_seen) FROM (
        SELECT project_id, (first_seen_at AT TIME ZONE 'UTC')::date AS day, count(*) AS first_seen, 0 AS last_seen
        FROM customers GROUP BY 1, 2
        UNION ALL
        SELECT project_id, (last_seen_at AT TIME ZONE 'UTC')::date, 0, count(*)
        FROM customers WHERE last_seen_at IS NOT NULL GROUP BY 1, 2
      ) c GROUP BY 1, 2
      ON CONFLICT (project_id, day) DO UPDATE SET first_seen = excluded.first_seen, last_seen = excluded.last_seen`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
