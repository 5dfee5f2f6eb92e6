import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the kinds of ownership of seats that someone else pays for, and of kinds that a store added since. Existing rows
 * have one of the earlier kinds, so they are not read again.
 */
export class AssignedPurchases1796610000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE store_transactions DROP CONSTRAINT store_transactions_ownership_check,
         ADD CONSTRAINT store_transactions_ownership_check
           CHECK (ownership IN ('purchased', 'family_shared', 'assigned', 'unknown')) NOT VALID`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
