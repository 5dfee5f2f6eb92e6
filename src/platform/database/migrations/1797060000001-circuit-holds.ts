import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that asked for a pause. Such an endpoint has a row, with or without failures. */
export class CircuitHolds1797060000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE webhook_circuits
         ADD COLUMN not_before timestamptz(3),
         ADD COLUMN limited integer NOT NULL DEFAULT 0`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
