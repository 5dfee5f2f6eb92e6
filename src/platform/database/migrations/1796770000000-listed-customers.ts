import type { MigrationInterface, QueryRunner } from 'typeorm';
import { listedCustomers, listedCustomerTriggers } from './customer-lists/listed-customers.sql.js';

/** Rows for lists of customers with filters. A job adds those of customers who exist already. */
export class ListedCustomers1796770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(listedCustomers);
    await queryRunner.query(listedCustomerTriggers);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
