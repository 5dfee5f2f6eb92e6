import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../schema/concurrent-index.js';

/** Finds the rentals of a project, which are few, among its purchases. */
export class RentalPurchases1770050000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      queryRunner,
      'one_time_purchases_rentals',
      `ON one_time_purchases (project_id, app_id, store_product_id)
       WHERE facts #>> '{purchase,value,isRental}' = 'true'`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
