import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cancellations of Google Play with the customers' answers. */
export class PlayCancellations1796740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE play_cancellations (
         project_id text NOT NULL,
         cancelled_at timestamptz(3) NOT NULL,
         key_hash bytea NOT NULL,
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         reason text,
         PRIMARY KEY (project_id, cancelled_at, key_hash)
       )`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
