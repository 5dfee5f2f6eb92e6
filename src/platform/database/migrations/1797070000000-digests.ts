import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Figures of a project that are sent to a channel or to members. */
export class Digests1797070000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE digests (
         project_id text NOT NULL REFERENCES projects (id),
         id text NOT NULL,
         name text NOT NULL,
         destination_id text,
         emails text[] NOT NULL,
         period text NOT NULL CHECK (period IN ('daily', 'weekly')),
         weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
         hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
         time_zone text NOT NULL,
         figures text[] NOT NULL CHECK (cardinality(figures) > 0),
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         send_empty boolean NOT NULL,
         enabled boolean NOT NULL,
         created_at timestamptz(3) NOT NULL,
         due_at timestamptz(3) NOT NULL,
         lease_until timestamptz(3),
         delays smallint NOT NULL DEFAULT 0,
         last_sent_at timestamptz(3),
         last_period text,
         PRIMARY KEY (project_id, id),
         CHECK (destination_id IS NULL OR cardinality(emails) = 0)
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
