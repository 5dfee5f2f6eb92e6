import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeTables } from '../giving-way.js';

/** Leases that were due times, which go by the clocks of processes, end by the database's clock from now on. */
export class LeasesByDatabaseClock1764600000510 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of [
      ['projects', 'purge_lease_until'],
      ['webhook_circuits', 'probe_lease_until'],
    ] as const) {
      await changeTables(
        queryRunner,
        [table],
        `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} timestamptz(3)`,
      );
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
