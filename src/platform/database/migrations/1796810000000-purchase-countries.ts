import type { MigrationInterface, QueryRunner } from 'typeorm';
import { purchaseCountries } from './customer-lists/purchase-countries.sql.js';

/** Lists of customers find the country of a purchase where a device sent none. A job computes earlier rows again. */
export class PurchaseCountries1796810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(purchaseCountries);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
